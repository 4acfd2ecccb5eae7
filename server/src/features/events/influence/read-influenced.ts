import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** What followed a message, or the messages of a campaign. */
export interface Influenced {
  events: number
  /** Those that came when the notification itself had opened the app. */
  directEvents: number
  /** By currency in upper case; under '' where none was given. */
  revenue: Record<string, number>
}

export async function readInfluenced(
  ctx: Context,
  of: { messageId: string } | { trackId: string },
): Promise<Influenced> {
  const which = 'messageId' in of ? sql`message_id = ${of.messageId}` : sql`track_id = ${of.trackId}`
  const rows = await db(ctx).query<{ currency: string; events: number; direct_events: number; revenue: number }>(sql`
    select currency, sum(events)::bigint as events, sum(direct_events)::bigint as direct_events, sum(revenue) as revenue
    from influence_counters where app_id = ${ctx.app.id} and ${which}
    group by currency order by currency`)
  const withRevenue = rows.filter((row) => row.currency !== '' || row.revenue !== 0)
  return {
    events: rows.reduce((sum, row) => sum + row.events, 0),
    directEvents: rows.reduce((sum, row) => sum + row.direct_events, 0),
    revenue: Object.fromEntries(withRevenue.map((row) => [row.currency, row.revenue])),
  }
}
