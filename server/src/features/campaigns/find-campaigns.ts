import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { TimeAndName } from '#base/page-cursor.ts'
import type { CampaignRow } from './campaign.ts'

/** Newest first, of those whose name or trackId has the words in it. */
export async function findCampaigns(
  ctx: Context,
  { search, after, limit }: { search?: string | undefined; after?: TimeAndName | undefined; limit: number },
): Promise<CampaignRow[]> {
  const createdAt = sql`date_trunc('milliseconds', created_at)`
  return db(ctx).query<CampaignRow>(sql`
    select track_id, name, created_at from campaigns
    where app_id = ${ctx.app.id}
      ${search ? sql`and (position(lower(${search}) in lower(name)) > 0 or position(lower(${search}) in lower(track_id)) > 0)` : empty}
      ${after ? sql`and (${createdAt}, track_id) < (${new Date(after.time).toISOString()}::timestamptz, ${after.name})` : empty}
    order by ${createdAt} desc, track_id desc limit ${limit}`)
}
