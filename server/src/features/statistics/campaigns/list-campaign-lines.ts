import type { CampaignLine, CampaignLines, panelCampaigns, QueryOf } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, inSnapshot } from '#base/context.ts'
import { readTimeCursor, writeTimeCursor } from '#base/page-cursor.ts'
import { findCampaigns } from '../../campaigns/find-campaigns.ts'
import { readPromoSets } from '../promo/promo-sets.ts'
import { sumCampaigns } from './sum-campaigns.ts'

const defaultLimit = 25

/** Campaigns with the totals of their messages, newest first, all from one snapshot. */
export async function listCampaignLines(ctx: Context, input: QueryOf<typeof panelCampaigns>): Promise<CampaignLines> {
  return inSnapshot(ctx, (inner) => readLines(inner, input))
}

async function readLines(ctx: Context, input: QueryOf<typeof panelCampaigns>): Promise<CampaignLines> {
  const { cursor, limit = defaultLimit } = input
  const search = input.search?.trim() || undefined
  const after = readTimeCursor(cursor)
  const found = await findCampaigns(ctx, { search, after, limit: limit + 1 })
  const rows = found.slice(0, limit)
  const trackIds = rows.map((row) => row.track_id)
  const at = ctx.now().getTime()
  if (trackIds.length === 0) return { at, data: [] }
  const sums = await sumCampaigns(ctx, trackIds)
  const sets = await readPromoSets(ctx, sql`s.track_id = any(${trackIds}::text[])`)
  const data = rows.map((row) => {
    const promo = sets.find(({ set }) => set.trackId === row.track_id)?.set
    return {
      trackId: row.track_id,
      name: row.name,
      createdAt: row.created_at.getTime(),
      ...sums.get(row.track_id),
      ...(promo && { codesLeft: promo.left, isLow: promo.isLow }),
    } as CampaignLine
  })
  const last = data.at(-1)
  return {
    at,
    data,
    ...(found.length > limit && last && { cursor: writeTimeCursor({ time: last.createdAt, name: last.trackId }) }),
  }
}
