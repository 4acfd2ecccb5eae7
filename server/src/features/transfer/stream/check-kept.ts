import type { StreamType } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { defaultRetention } from '../../accounts/apps/retention.ts'
import type { Place } from './place.ts'

const DAY = 86_400_000

/** A reader that goes on behind what was dropped would not know that some is missing. */
export async function checkKept(ctx: Context, place: Place, types: readonly StreamType[]): Promise<void> {
  const [row] = await db(ctx).query<{ events_days: number | null; deliveries_days: number | null }>(sql`
    select (settings -> 'retention' ->> 'eventsDays')::float8::int as events_days,
      (settings -> 'retention' ->> 'deliveriesDays')::float8::int as deliveries_days
    from apps where app_id = ${ctx.app.id}`)
  const days = { ...defaultRetention }
  if (row?.events_days) days.eventsDays = row.events_days
  if (row?.deliveries_days) days.deliveriesDays = row.deliveries_days
  const keptSince = Math.max(...types.map((type) => keptSinceOf(type, days, ctx.now())))
  if (place.us / 1000 >= keptSince) return
  throw new RequestError(
    'cursor-expired',
    `"cursor": what came right after it is not kept any more: it is from ${timeOf(place.us / 1000)}, and this app keeps what it asks for since ${timeOf(keptSince)}. Begin anew with "from".`,
    { details: { field: 'cursor', keptSince } },
  )
}

/** Whole months go, when the last day of them is past what the app keeps. */
function keptSinceOf(type: StreamType, days: typeof defaultRetention, now: Date): number {
  if (type === 'uninstall') return Number.NEGATIVE_INFINITY
  const oldest = new Date(now.getTime() - (type === 'event' ? days.eventsDays : days.deliveriesDays) * DAY)
  return Date.UTC(oldest.getUTCFullYear(), oldest.getUTCMonth())
}

function timeOf(ms: number): string {
  return new Date(Math.floor(ms)).toISOString()
}
