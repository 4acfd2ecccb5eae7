import sql from 'sql-template-tag'
import { type Context, inTransaction } from '#base/context.ts'
import { raiseAlert } from '../alerts/raise-alert.ts'
import { type CredentialProvider, providerTitles } from './stored-provider.ts'

/**
 * Stops what goes out by a provider until a person has looked. Only the first pause is told. With the version that was
 * used, a late answer to old credentials does not pause those that were set meanwhile.
 */
export function pauseProvider(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now' | 'log'>,
  { provider, reason, version }: { provider: CredentialProvider; reason: string; version?: string },
): Promise<{ isNew: boolean }> {
  return inTransaction(ctx, async (tx) => {
    const paused = await tx.query(sql`
      update provider_credentials set paused_at = ${ctx.now()}, paused_reason = ${reason}
      where app_id = ${ctx.app.id} and provider = ${provider} and paused_at is null
        and (${version ?? null}::text is null or md5(sealed) = ${version ?? null})
      returning provider`)
    if (paused.length === 0) return { isNew: false }
    const text = `${providerTitles[provider]} is paused: ${reason.replace(/[.\s]*$/, '.')} Messages wait until they expire. Set the credentials again or, when the cause is gone, resume the provider.`
    await raiseAlert({ ...ctx, tx }, { kind: 'provider-paused', subject: provider, text, details: { reason } })
    return { isNew: true }
  })
}
