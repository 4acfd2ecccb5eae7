import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { getCampaign } from '../../campaigns/get-campaign.ts'
import { readInfluenced } from '../../events/influence/read-influenced.ts'
import { countDeliveries, type DeliveryGroup } from '../progress/count-deliveries.ts'
import { countMessages } from '../progress/count-messages.ts'

export type CampaignCounts = contract.AnswerOf<typeof contract.getCampaign>

/** A campaign with the sums of its messages: those that are there, and those that are no longer kept. */
export async function getCampaignCounts(ctx: Context, { trackId }: { trackId: string }): Promise<CampaignCounts> {
  const campaign = await getCampaign(ctx, { trackId })
  const [live] = await countMessages(db(ctx), { appId: ctx.app.id, which: sql`m.track_id = ${trackId}` })
  const past = await db(ctx).query<{ state: string; reason: string | null; count: number }>(sql`
    select state, nullif(reason, '') as reason, count from campaign_counters
    where app_id = ${ctx.app.id} and track_id = ${trackId}`)
  const sumOf = (state: string) => past.find((row) => row.state === state)?.count ?? 0
  const rows = past.filter((row) => row.state !== 'messages' && row.state !== 'recipients') as DeliveryGroup[]
  return {
    ...campaign,
    messages: (live?.messages ?? 0) + sumOf('messages'),
    count: (live?.recipients ?? 0) + sumOf('recipients'),
    ...countDeliveries(0, [...(live?.rows ?? []), ...rows], []),
    influenced: await readInfluenced(ctx, { trackId }),
  }
}
