import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import type { AppIdentity } from '#base/context.ts'
import type { Database } from '#base/store/store.ts'
import type { Scope } from './scopes.ts'

export interface AccessToken {
  app: AppIdentity
  tokenId: string
  name: string
  scopes: Scope[]
  /** Only for client keys: the web origins that may use it; undefined means all. */
  origins: string[] | undefined
  /** Only where the app verifies identities. */
  sealedIdentitySecret: Buffer | undefined
  /** The key of the names under which the app's installations see each other. */
  aliasSecret: Buffer
  lastUsedOn: string | undefined
}

interface Row {
  app_id: number
  label: string
  token_id: string
  name: string
  scopes: Scope[]
  origins: string[] | null
  identity_secret: string | null
  alias_secret: Buffer
  last_used_on: string | null
}

/** Only what is valid at this moment is found. Looked up by its hash, so that comparing takes the same time for all. */
export async function findToken(database: Database, token: string): Promise<AccessToken | undefined> {
  const hash = createHash('sha256').update(token).digest()
  const [row] = await database.query<Row>(
    sql`select t.app_id, a.label, t.token_id, t.name, t.scopes, t.origins, t.last_used_on::text,
          a.settings->>'identitySecret' as identity_secret, a.alias_secret
        from access_tokens t join apps a using (app_id)
        where t.hash = ${hash} and t.revoked_at is null and (t.expires_at is null or t.expires_at > peyk_now())`,
    'find-token',
  )
  if (!row) return undefined
  return {
    app: { id: row.app_id, label: row.label },
    tokenId: row.token_id,
    name: row.name,
    scopes: row.scopes,
    origins: row.origins ?? undefined,
    sealedIdentitySecret: row.identity_secret === null ? undefined : Buffer.from(row.identity_secret, 'base64'),
    aliasSecret: row.alias_secret,
    lastUsedOn: row.last_used_on ?? undefined,
  }
}
