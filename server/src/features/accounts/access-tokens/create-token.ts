import { createHash, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { randomToken } from '#base/ids.ts'
import { checkName } from '../apps/check-names.ts'
import { checkOrigins } from './check-origins.ts'
import { checkScopes } from './check-scopes.ts'
import type { Scope } from './scopes.ts'

export interface NewToken {
  id: string
  name: string
  scopes: Scope[]
  origins: string[] | undefined
  expiresAt: Date | undefined
  /** Given out here and never again: only its hash is stored [requests.md#access-tokens]. */
  token: string
}

export async function createToken(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  input: {
    name: string
    scopes: readonly string[]
    origins?: readonly string[] | undefined
    expiresAt?: Date | undefined
  },
): Promise<NewToken> {
  const name = checkName('the name of a token', input.name)
  const scopes = checkScopes(input.scopes)
  const origins = input.origins?.length ? checkOrigins(input.origins) : undefined
  if (origins && !scopes.includes('client')) {
    throw new RequestError('invalid-request', 'Only a token of scope client can be limited to origins.')
  }
  if (input.expiresAt && !(input.expiresAt > ctx.now())) {
    throw new RequestError('invalid-request', 'Expected an expiry in the future.')
  }
  const id = randomUUID()
  const token = randomToken()
  const hash = createHash('sha256').update(token).digest()
  await db(ctx).query(sql`
    insert into access_tokens (app_id, token_id, hash, name, scopes, origins, created_at, expires_at)
    values (${ctx.app.id}, ${id}, ${hash}, ${name}, ${scopes}, ${origins ?? null}, ${ctx.now()}, ${input.expiresAt ?? null})`)
  return { id, name, scopes, origins, expiresAt: input.expiresAt, token }
}
