import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

export interface WaitingMoment {
  /** The beginning of an hour, in epoch milliseconds. */
  at: number
  /** Installations. */
  count: number
}

const mostHours = 100

/** How many installations of a message with a local time wait for which hour. */
export async function readWaitingMoments(ctx: Context, messageId: string): Promise<WaitingMoment[]> {
  const rows = await db(ctx).query<{ at: Date; count: number }>(sql`
    select date_trunc('hour', available_at, 'UTC') as at, sum(cardinality(installation_nos))::bigint as count
    from delivery_batches
    where app_id = ${ctx.app.id} and message_id = ${messageId} and lane = 'later' and stream <> 'expand' and state in ('queued', 'paused')
    group by 1 having sum(cardinality(installation_nos)) > 0 order by 1 limit ${mostHours}`)
  return rows.map(({ at, count }) => ({ at: at.getTime(), count }))
}
