import type { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { replaceSet } from './replace-set.ts'

/** [spec 4.9] The 404 comes before anything of the file is read, in the words of [spec 7]. */
export async function replaceCampaignCodes(ctx: Context, { trackId, file }: { trackId: string; file: Readable }) {
  if (!(await isCampaign(ctx, trackId))) throw new RequestError('unknown-campaign', 'Invalid userPush id')
  const { setId, ...counts } = await replaceSet(ctx, { trackId, file })
  return { promoSetId: setId, ...counts }
}

async function isCampaign(ctx: Context, trackId: string): Promise<boolean> {
  if (trackId.includes('\0')) return false
  const found = await db(ctx).query(sql`select from campaigns where app_id = ${ctx.app.id} and track_id = ${trackId}`)
  return found.length > 0
}
