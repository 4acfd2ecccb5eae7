import { Readable } from 'node:stream'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import { addCampaignCodes } from './add-campaign-codes.ts'
import { addGlobalCodes } from './add-global-codes.ts'
import { replaceCampaignCodes } from './replace-campaign-codes.ts'
import { replaceGlobalCodes } from './replace-global-codes.ts'
import { takeCodes } from './take-codes.ts'

export async function createCampaign(ctx: Context, trackId: string): Promise<void> {
  await ctx.store.query(
    sql`insert into campaigns (app_id, track_id, name) values (${ctx.app.id}, ${trackId}, ${trackId})`,
  )
}

export const fileOf = (...pieces: (string | Buffer)[]) => Readable.from(pieces.map((piece) => Buffer.from(piece)))

/** Replaces a campaign's set, or the global one. */
export function replace(ctx: Context, trackId: string | undefined, ...pieces: string[]) {
  const file = fileOf(...pieces)
  return trackId === undefined ? replaceGlobalCodes(ctx, { file }) : replaceCampaignCodes(ctx, { trackId, file })
}

/** Adds to a campaign's set, or to the global one. */
export function add(ctx: Context, trackId: string | undefined, ...pieces: string[]) {
  const file = fileOf(...pieces)
  return trackId === undefined ? addGlobalCodes(ctx, { file }) : addCampaignCodes(ctx, { trackId, file })
}

/** The codes of the set that is active, in order. */
export async function activeCodes(ctx: Context, trackId = ''): Promise<string[]> {
  const rows = await ctx.store.query<{ code: string }>(sql`
    select code from promo_sets join promo_codes using (app_id, set_no)
    where app_id = ${ctx.app.id} and track_id = ${trackId} and state = 'active' order by code`)
  return rows.map((row) => row.code)
}

export async function countRows(ctx: Context, table: 'promo_sets' | 'promo_codes' | 'promo_given'): Promise<number> {
  const tables = { promo_sets: sql`promo_sets`, promo_codes: sql`promo_codes`, promo_given: sql`promo_given` }
  const [row] = await ctx.store.query<{ count: number }>(sql`
    select count(*) from ${tables[table]} where app_id = ${ctx.app.id}`)
  return row?.count ?? 0
}

/** What users get of one message, in their order. */
export async function take(ctx: Context, userNos: number[], options: { trackId?: string; messageId?: string } = {}) {
  const { trackId, messageId = timeOrderedId(ctx.now()) } = options
  const codes = await ctx.store.transaction((tx) => takeCodes(tx, { appId: ctx.app.id, messageId, trackId, userNos }))
  return userNos.map((userNo) => codes.get(userNo))
}
