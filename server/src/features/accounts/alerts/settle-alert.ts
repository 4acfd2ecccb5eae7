import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { AlertKind } from './alert.ts'

/** Called when the cause is gone. That nothing was open is no error. */
export async function settleAlert(
  ctx: Pick<Context, 'app' | 'store' | 'tx' | 'now'>,
  { kinds, subject = '' }: { kinds: readonly AlertKind[]; subject?: string },
): Promise<void> {
  await db(ctx).query(sql`
    update alerts set cleared_at = ${ctx.now()}
    where app_id = ${ctx.app.id} and kind = any(${kinds}) and subject = ${subject} and cleared_at is null`)
}
