import type { CampaignDetail } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import { getCampaignCounts } from '../../deliveries/read/get-campaign-counts.ts'
import { readPromoSets } from '../promo/promo-sets.ts'

/** A campaign with the sums of its messages and its promo codes. */
export async function describeCampaign(ctx: Context, { trackId }: { trackId: string }): Promise<CampaignDetail> {
  const campaign = await getCampaignCounts(ctx, { trackId })
  const sets = await readPromoSets(ctx, sql`s.track_id = any(${[trackId, '']}::text[])`)
  const own = sets.find(({ set }) => set.trackId === trackId)
  const global = sets.find(({ set }) => set.trackId === undefined)
  return {
    ...campaign,
    ...(own && { promo: own.set }),
    ...(global && { globalLeft: global.set.left }),
  }
}
