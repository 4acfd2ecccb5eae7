import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import type { CampaignPlace } from '../../campaigns/campaign-cursor.ts'

export interface FoundCampaign {
  track_id: string
  name: string
  created_at: Date
}

/** Newest first, of those whose name or trackId has the words in it. */
export async function findCampaigns(
  ctx: Context,
  { search, after, limit }: { search?: string | undefined; after?: CampaignPlace | undefined; limit: number },
): Promise<FoundCampaign[]> {
  const createdAt = sql`date_trunc('milliseconds', created_at)`
  return db(ctx).query<FoundCampaign>(sql`
    select track_id, name, created_at from campaigns
    where app_id = ${ctx.app.id}
      ${search ? sql`and (position(lower(${search}) in lower(name)) > 0 or position(lower(${search}) in lower(track_id)) > 0)` : empty}
      ${after ? sql`and (${createdAt}, track_id) < (${new Date(after.createdAt).toISOString()}::timestamptz, ${after.trackId})` : empty}
    order by ${createdAt} desc, track_id desc limit ${limit}`)
}
