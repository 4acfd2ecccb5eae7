import sql from 'sql-template-tag'
import { limits } from '#base/config.ts'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

/** Refuses more scheduled messages than an app may have. Occurrences of series do not count: there are few of each. */
export async function checkScheduleRoom(ctx: Context, adding: number): Promise<void> {
  const [row] = await db(ctx).query<{ count: number }>(sql`
    select count(*) from (
      select from scheduled_messages
      where app_id = ${ctx.app.id} and cancelled_at is null and series_id is null limit ${limits.scheduledPerApp}) s`)
  if ((row?.count ?? 0) + adding <= limits.scheduledPerApp) return
  throw new RequestError(
    'limit-reached',
    `The app would have more than ${limits.scheduledPerApp} scheduled messages.`,
    {
      details: { field: 'sendAt' },
    },
  )
}
