import type { CodesLeft } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** From the sets' own numbers: quick for any set. The dry run counts the codes themselves. */
export async function getCodesLeft(ctx: Context, { trackId }: { trackId?: string }): Promise<CodesLeft> {
  const sets = await db(ctx).query<{ is_global: boolean; left_over: number }>(sql`
    select track_id = '' as is_global, greatest(0, codes - already_used - given) as left_over
    from promo_sets where app_id = ${ctx.app.id} and state = 'active' and track_id = any(${[trackId ?? '', '']}::text[])`)
  const campaign = sets.find((set) => !set.is_global)
  const global = sets.find((set) => set.is_global)
  return { ...(campaign && { campaign: campaign.left_over }), ...(global && { global: global.left_over }) }
}
