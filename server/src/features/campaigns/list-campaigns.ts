import type { AnswerOf, listCampaigns as contract, QueryOf } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { readTimeCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { campaignAnswer } from './campaign.ts'
import { findCampaigns } from './find-campaigns.ts'

const defaultLimit = 100

export async function listCampaigns(
  ctx: Context,
  { cursor, limit = defaultLimit }: QueryOf<typeof contract>,
): Promise<AnswerOf<typeof contract>> {
  const found = await findCampaigns(ctx, { after: readTimeCursor(cursor), limit: limit + 1 })
  const data = found.slice(0, limit).map(campaignAnswer)
  const last = data.at(-1)
  return {
    data,
    ...(found.length > limit && last && { cursor: writeTimeCursor({ time: last.createdAt, name: last.trackId }) }),
  }
}
