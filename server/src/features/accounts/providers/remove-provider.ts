import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { settleAlert } from '../alerts/settle-alert.ts'
import { type CredentialProvider, providerTitles } from './stored-provider.ts'

/** Messages to its devices end as "no-provider" from then on, or go over the own connection. */
export function removeProvider(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  { provider, force = false }: { provider: CredentialProvider; force?: boolean },
): Promise<{ provider: CredentialProvider }> {
  return inTransaction(ctx, async (tx) => {
    if (provider === 'webpush' && !force) {
      throw new RequestError(
        'invalid-request',
        'Removing the key pair ends every web push subscription of this app for good. Say force if that is meant.',
      )
    }
    const removed = await tx.query(sql`
      delete from provider_credentials where app_id = ${ctx.app.id} and provider = ${provider} returning provider`)
    if (removed.length === 0) {
      throw new RequestError('not-found', `This app has no credentials for ${providerTitles[provider]}.`)
    }
    await settleAlert(
      { ...ctx, tx },
      { kinds: ['provider-paused', 'credentials-unreadable', 'wrong-environment'], subject: provider },
    )
    return { provider }
  })
}
