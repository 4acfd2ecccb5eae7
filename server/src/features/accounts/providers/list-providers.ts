import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import type { ShownCredentials } from './show-credentials.ts'
import {
  type CredentialProvider,
  credentialProviders,
  readStoredProvider,
  type StoredProviderRow,
} from './stored-provider.ts'

export type ListedProvider = contract.AnswerOf<typeof contract.listProviders>[number]

/** What is set and whether it works, never a secret. */
export async function listProviders(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'external'>,
  { providers = credentialProviders }: { providers?: readonly CredentialProvider[] } = {},
): Promise<ListedProvider[]> {
  const rows = await db(ctx).query<StoredProviderRow & { shown: ShownCredentials }>(sql`
    select app_id, provider, sealed, md5(sealed) as version, shown, is_simulated, set_at, paused_at, paused_reason
    from provider_credentials where app_id = ${ctx.app.id} and provider = any(${providers}) order by provider`)
  return rows.map((row) => {
    const { paused } = readStoredProvider(row, ctx.external).stored
    return {
      provider: row.provider,
      simulated: row.is_simulated,
      setAt: row.set_at.getTime(),
      shown: row.shown,
      ...(paused && { paused: { at: paused.at.getTime(), reason: paused.reason } }),
    }
  })
}
