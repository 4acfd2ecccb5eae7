import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'

/** Whether users of the app may send messages to each other: off unless it was switched on. */
export async function mayUsersSend(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<boolean> {
  const [row] = await db(ctx).query<{ is_allowed: boolean }>(
    sql`select coalesce(settings->'allowUserMessages' = 'true', false) as is_allowed from apps where app_id = ${ctx.app.id}`,
    'may-users-send',
  )
  return row?.is_allowed ?? false
}
