import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import { announceKeyChange } from './key-change.ts'

/** Takes effect within a second on every process. Revoking twice is no error; the first time counts. */
export async function revokeToken(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  input: { id: string },
): Promise<{ id: string; name: string; revokedAt: Date }> {
  const [row] = isUuid(input.id)
    ? await db(ctx).query<{ token_id: string; name: string; revoked_at: Date }>(sql`
        update access_tokens set revoked_at = coalesce(revoked_at, ${ctx.now()})
        where app_id = ${ctx.app.id} and token_id = ${input.id} returning token_id, name, revoked_at`)
    : []
  if (!row) throw new RequestError('not-found', `The app "${ctx.app.label}" has no token with the id "${input.id}".`)
  announceKeyChange(ctx.store, ctx.app.id)
  return { id: row.token_id, name: row.name, revokedAt: row.revoked_at }
}
