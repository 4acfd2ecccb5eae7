import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { settleAlert } from '../alerts/settle-alert.ts'
import { type CredentialProvider, providerTitles } from './stored-provider.ts'

/** `wasPaused` is false when there was nothing to lift, which is no error. */
export function liftPause(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  { provider }: { provider: CredentialProvider },
): Promise<{ wasPaused: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const [row] = await tx.query<{ was_paused: boolean }>(sql`
      update provider_credentials c set paused_at = null, paused_reason = null
      from (select app_id, provider, paused_at is not null as was_paused from provider_credentials
        where app_id = ${ctx.app.id} and provider = ${provider} for update) before
      where c.app_id = before.app_id and c.provider = before.provider returning was_paused`)
    if (!row) throw new RequestError('not-found', `This app has no credentials for ${providerTitles[provider]}.`)
    await settleAlert({ ...ctx, tx }, { kinds: ['provider-paused', 'wrong-environment'], subject: provider })
    return { wasPaused: row.was_paused }
  })
}
