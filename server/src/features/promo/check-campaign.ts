import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'

/** The 404 of [interface.md#7-errors], in its words. */
export async function checkCampaign(ctx: Context, trackId: string): Promise<void> {
  if (!(await isCampaign(ctx, trackId))) throw new RequestError('unknown-campaign', 'Invalid userPush id')
}

async function isCampaign(ctx: Context, trackId: string): Promise<boolean> {
  if (trackId.includes('\0')) return false
  const found = await db(ctx).query(sql`select from campaigns where app_id = ${ctx.app.id} and track_id = ${trackId}`)
  return found.length > 0
}
