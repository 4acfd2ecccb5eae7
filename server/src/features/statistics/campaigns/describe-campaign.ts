import type { CampaignDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db, inSnapshot } from '#base/context.ts'
import { getCampaignCounts } from '../../deliveries/read/get-campaign-counts.ts'
import { listMessageLines } from '../message-lines/list-message-lines.ts'
import { readPromoSets } from '../promo/promo-sets.ts'

const countedDeliveries = 200_000

/** A campaign with its totals, its latest messages, and its promo codes, all from one snapshot. */
export function describeCampaign(outer: Context, { trackId }: { trackId: string }): Promise<CampaignDetail> {
  return inSnapshot(outer, async (ctx) => {
    const campaign = await getCampaignCounts(ctx, { trackId })
    const sets = await readPromoSets(ctx, sql`s.track_id = any(${[trackId, '']}::text[])`)
    const own = sets.find(({ set }) => set.trackId === trackId)
    const global = sets.find(({ set }) => set.trackId === undefined)
    const reached = await countReached(ctx, campaign)
    return {
      ...campaign,
      at: ctx.now().getTime(),
      ...(reached && { reached }),
      lines: await listMessageLines(ctx, { trackId }),
      ...(own && { promo: own.set }),
      ...(global && { globalLeft: global.set.left }),
    }
  })
}

/** A device or user that several of its messages reached counts once. */
async function countReached(
  ctx: Context,
  { trackId, count }: Pick<CampaignDetail, 'trackId' | 'count'>,
): Promise<CampaignDetail['reached']> {
  if (count > countedDeliveries) return undefined
  const [row] = await db(ctx).query<{ is_complete: boolean; devices: number; users: number }>(sql`
    select not exists (select from campaign_counters where app_id = ${ctx.app.id} and track_id = ${trackId}) as is_complete,
      count(*) as devices, count(distinct i.user_no) as users
    from (
      select distinct d.installation_no
      from messages m join deliveries d on d.app_id = m.app_id and d.message_id = m.id
      where m.app_id = ${ctx.app.id} and m.track_id = ${trackId}
        and (d.state not in ('queued', 'ended') or d.reason = 'unknown')
    ) sent
    left join installations i on i.app_id = ${ctx.app.id} and i.installation_no = sent.installation_no`)
  return row?.is_complete ? { devices: row.devices, users: row.users } : undefined
}
