import type { PromoOverview } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { readNumberCursor } from '#base/page-cursor.ts'
import { readPromoSets } from './promo-sets.ts'

const setsPerPage = 50

/** The global set and those of campaigns, the latest upload first. */
export async function showPromo(ctx: Context, { cursor }: { cursor?: string }): Promise<PromoOverview> {
  const smallest = readNumberCursor(cursor)
  const before = smallest === undefined ? empty : sql`and s.set_no < ${smallest}`
  const page = await readPromoSets(ctx, sql`s.track_id <> '' ${before} order by s.set_no desc limit ${setsPerPage + 1}`)
  const [global] = await readPromoSets(ctx, sql`s.track_id = ''`)
  const sets = page.slice(0, setsPerPage)
  const last = sets.at(-1)
  return {
    ...(global && { global: global.set }),
    sets: sets.map(({ set }) => set),
    ...(page.length > setsPerPage && last && { cursor: String(last.setNo) }),
  }
}
