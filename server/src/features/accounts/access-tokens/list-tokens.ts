import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { Scope } from './scopes.ts'

export interface ListedToken {
  id: string
  name: string
  scopes: Scope[]
  origins: string[] | undefined
  createdAt: Date
  lastUsedOn: string | undefined
  expiresAt: Date | undefined
}

interface Row {
  token_id: string
  name: string
  scopes: Scope[]
  origins: string[] | null
  created_at: Date
  last_used_on: string | null
  expires_at: Date | null
}

/** Those that were not revoked, the expired among them. */
export async function listTokens(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<ListedToken[]> {
  const rows = await db(ctx).query<Row>(sql`
    select token_id, name, scopes, origins, created_at, last_used_on::text, expires_at
    from access_tokens where app_id = ${ctx.app.id} and revoked_at is null order by created_at, name, token_id`)
  return rows.map((row) => ({
    id: row.token_id,
    name: row.name,
    scopes: row.scopes,
    origins: row.origins ?? undefined,
    createdAt: row.created_at,
    lastUsedOn: row.last_used_on ?? undefined,
    expiresAt: row.expires_at ?? undefined,
  }))
}
