import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { AccountsContext } from '../accounts-context.ts'

export interface LiveKey {
  /** The web origins that may use it; undefined means all. */
  origins: string[] | undefined
}

/** Which of these tokens are valid at this moment, asked of the store and not of what is remembered. */
export async function findLiveKeys(
  ctx: Pick<AccountsContext, 'store'>,
  keys: readonly string[],
): Promise<Map<string, LiveKey>> {
  const byHash = new Map(keys.map((key) => [createHash('sha256').update(key).digest('hex'), key]))
  const rows = await ctx.store.query<{ hash: string; origins: string[] | null }>(
    sql`select encode(t.hash, 'hex') as hash, t.origins
        from unnest(${[...byHash.keys()]}::text[]) as k(hash)
        join access_tokens t on t.hash = decode(k.hash, 'hex')
        join apps a using (app_id)
        where t.revoked_at is null and (t.expires_at is null or t.expires_at > peyk_now())`,
    'find-live-keys',
  )
  return new Map(rows.map(({ hash, origins }) => [byHash.get(hash) as string, { origins: origins ?? undefined }]))
}
