import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { CampaignRow } from './campaign.ts'

/** Undefined when the app has a campaign with this trackId already. */
export async function insertCampaign(
  ctx: Context,
  { trackId, name }: { trackId: string; name: string },
): Promise<CampaignRow | undefined> {
  const [row] = await db(ctx).query<CampaignRow>(sql`
    insert into campaigns (app_id, track_id, name, created_at)
    values (${ctx.app.id}, ${trackId}, ${name}, ${ctx.now().toISOString()})
    on conflict do nothing returning track_id, name, created_at`)
  return row
}
