import type { CampaignLine } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { countDeliveries, type DeliveryGroup } from '../../deliveries/progress/count-deliveries.ts'
import { countMessages } from '../../deliveries/progress/count-messages.ts'
import type { Influenced } from '../../events/influence/read-influenced.ts'

/** A campaign that sends to one user at a time can have a great many: a list counts the latest of each. */
const countedMessages = 200

type Sums = Pick<CampaignLine, 'messages' | 'isMore' | 'count' | 'lastMessageAt' | 'states' | 'influenced'>

/** What became of the messages of some campaigns: of the latest of each, and of those that are no longer kept. */
export async function sumCampaigns(ctx: Context, trackIds: readonly string[]): Promise<Map<string, Sums>> {
  const latest = await listLatest(ctx, trackIds)
  const ids = latest.filter(({ place }) => place <= countedMessages).map(({ id }) => id)
  const counted = await countMessages(db(ctx), { appId: ctx.app.id, which: sql`m.id = any(${ids}::uuid[])` })
  const past = await db(ctx).query<{ track_id: string; state: string; reason: string | null; count: number }>(sql`
    select track_id, state, nullif(reason, '') as reason, count from campaign_counters
    where app_id = ${ctx.app.id} and track_id = any(${[...trackIds]}::text[])`)
  const influenced = await sumInfluence(ctx, trackIds)
  return new Map(
    trackIds.map((trackId) => {
      const own = latest.filter((message) => message.track_id === trackId)
      const live = counted.find((each) => each.trackId === trackId)
      const gone = past.filter((row) => row.track_id === trackId)
      const sumOf = (state: string) => gone.find((row) => row.state === state)?.count ?? 0
      const rows = gone.filter((row) => row.state !== 'messages' && row.state !== 'recipients') as DeliveryGroup[]
      const sums: Sums = {
        messages: (live?.messages ?? 0) + sumOf('messages'),
        isMore: own.length > countedMessages,
        count: (live?.recipients ?? 0) + sumOf('recipients'),
        ...(own[0] && { lastMessageAt: own[0].accepted_at.getTime() }),
        states: countDeliveries(0, [...(live?.rows ?? []), ...rows], []).states,
        influenced: influenced.get(trackId) ?? { events: 0, directEvents: 0, revenue: {} },
      }
      return [trackId, sums] as const
    }),
  )
}

async function listLatest(ctx: Context, trackIds: readonly string[]) {
  return db(ctx).query<{ track_id: string; id: string; accepted_at: Date; place: number }>(sql`
    select t.track_id, m.id, m.accepted_at, m.place
    from unnest(${[...trackIds]}::text[]) as t(track_id) cross join lateral (
      select id, accepted_at, row_number() over (order by id desc) as place
      from messages where app_id = ${ctx.app.id} and track_id = t.track_id order by id desc limit ${countedMessages + 1}
    ) m
    order by t.track_id, m.place`)
}

async function sumInfluence(ctx: Context, trackIds: readonly string[]): Promise<Map<string, Influenced>> {
  const rows = await db(ctx).query<{
    track_id: string
    currency: string
    events: number
    direct_events: number
    revenue: number
  }>(sql`
    select track_id, currency, sum(events)::bigint as events, sum(direct_events)::bigint as direct_events, sum(revenue) as revenue
    from influence_counters where app_id = ${ctx.app.id} and track_id = any(${[...trackIds]}::text[])
    group by track_id, currency order by track_id, currency`)
  const sums = new Map<string, Influenced>()
  for (const row of rows) {
    const sum = sums.get(row.track_id) ?? { events: 0, directEvents: 0, revenue: {} }
    sums.set(row.track_id, sum)
    sum.events += row.events
    sum.directEvents += row.direct_events
    if (row.currency !== '' || row.revenue !== 0) sum.revenue[row.currency] = row.revenue
  }
  return sums
}
