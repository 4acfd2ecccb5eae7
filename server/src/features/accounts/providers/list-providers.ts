import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { ShownCredentials } from './show-credentials.ts'
import {
  type CredentialProvider,
  credentialProviders,
  readStoredProvider,
  type StoredProviderRow,
} from './stored-provider.ts'

export type ListedProvider = contract.AnswerOf<typeof contract.listProviders>[number]

interface ListedRow extends StoredProviderRow {
  shown: ShownCredentials
  checked_at: Date | null
  checked_version: string | null
  check_result: contract.CredentialCheck['result'] | null
  check_finding: contract.Finding | null
}

/** What is set and whether it works, never a secret. */
export async function listProviders(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'external'>,
  { providers = credentialProviders }: { providers?: readonly CredentialProvider[] } = {},
): Promise<ListedProvider[]> {
  const rows = await db(ctx).query<ListedRow>(sql`
    select app_id, provider, sealed, md5(sealed) as version, shown, is_simulated, set_at, paused_at, paused_reason,
      checked_at, checked_version, check_result, check_finding
    from provider_credentials where app_id = ${ctx.app.id} and provider = any(${providers}) order by provider`)
  return rows.map((row) => {
    const { paused } = readStoredProvider(row, ctx.external).stored
    return {
      provider: row.provider,
      simulated: row.is_simulated,
      setAt: row.set_at.getTime(),
      shown: row.shown,
      ...(paused && { paused: { at: paused.at.getTime(), reason: paused.reason } }),
      ...readCheck(row),
    }
  })
}

/** What an earlier version set since then was not checked. */
function readCheck(row: ListedRow): { check?: contract.CredentialCheck } {
  const { checked_at: at, check_result: result, check_finding: finding } = row
  if (!at || !result || !finding || row.checked_version !== row.version) return {}
  return { check: { at: at.getTime(), result, finding } }
}
