import type { PromoOverview } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { readPromoSets } from './promo-sets.ts'

const setsPerPage = 50

/** The global set and those of campaigns, the latest upload first. */
export async function showPromo(ctx: Context, { cursor }: { cursor?: string }): Promise<PromoOverview> {
  if (cursor !== undefined && !/^\d{1,15}$/.test(cursor)) {
    throw new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
      details: { field: 'cursor' },
    })
  }
  const before = cursor === undefined ? empty : sql`and s.set_no < ${Number(cursor)}`
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
