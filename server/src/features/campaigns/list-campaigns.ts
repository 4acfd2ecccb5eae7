import type { listCampaigns as contract, QueryOf } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { type Campaign, type CampaignRow, campaignAnswer } from './campaign.ts'
import { readCampaignCursor, writeCampaignCursor } from './campaign-cursor.ts'

const defaultLimit = 100

export async function listCampaigns(
  ctx: Context,
  input: QueryOf<typeof contract>,
): Promise<{ data: Campaign[]; cursor?: string }> {
  const { limit = defaultLimit } = input
  const after = input.cursor === undefined ? undefined : readCampaignCursor(input.cursor)
  const createdAt = sql`date_trunc('milliseconds', created_at)`
  const rows = await db(ctx).query<CampaignRow>(sql`
    select track_id, name, created_at from campaigns
    where app_id = ${ctx.app.id}
      ${after ? sql`and (${createdAt}, track_id) < (${new Date(after.createdAt).toISOString()}::timestamptz, ${after.trackId})` : empty}
    order by ${createdAt} desc, track_id desc limit ${limit + 1}`)
  const data = rows.slice(0, limit).map(campaignAnswer)
  const last = data.at(-1)
  return { data, ...(rows.length > limit && last && { cursor: writeCampaignCursor(last) }) }
}
