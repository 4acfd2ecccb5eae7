import type { TroubleReason } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { CredentialProvider } from './stored-provider.ts'

/** Keeps that a provider takes nothing, since when, and why at the last try. What other credentials met is not kept. */
export async function recordTrouble(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  {
    provider,
    version,
    since,
    reason,
  }: { provider: CredentialProvider; version: string; since: Date; reason: TroubleReason },
): Promise<void> {
  await db(ctx).query(sql`
    update provider_credentials set trouble_since = coalesce(trouble_since, ${since}), trouble_reason = ${reason}
    where app_id = ${ctx.app.id} and provider = ${provider} and md5(sealed) = ${version}`)
}
