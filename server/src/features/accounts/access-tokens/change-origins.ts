import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import { checkOrigins } from './check-origins.ts'
import { announceKeyChange } from './key-change.ts'
import { type ListedToken, listTokens } from './list-tokens.ts'

/** The pages that may use a client key; with none given, every page may. */
export async function changeOrigins(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  input: { id: string; origins: readonly string[] },
): Promise<ListedToken> {
  const origins = input.origins.length > 0 ? checkOrigins(input.origins) : null
  const token = isUuid(input.id) ? (await listTokens(ctx)).find(({ id }) => id === input.id.toLowerCase()) : undefined
  if (!token) throw new RequestError('not-found', `The app "${ctx.app.label}" has no token with the id "${input.id}".`)
  if (!token.scopes.includes('client'))
    throw new RequestError('invalid-request', 'Only a token of scope client can be limited to origins.')
  await db(ctx).query(sql`
    update access_tokens set origins = ${origins} where app_id = ${ctx.app.id} and token_id = ${token.id}`)
  announceKeyChange(ctx.store, ctx.app.id)
  return { ...token, origins: origins ?? undefined }
}
