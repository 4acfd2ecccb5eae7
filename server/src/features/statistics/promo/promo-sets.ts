import type { PromoSet } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

interface SetRow {
  set_no: number
  track_id: string
  name: string | null
  total_rows: number
  codes: number
  duplicates: number
  already_used: number
  given: number
  activated_at: Date
}

export interface NumberedSet {
  setNo: number
  set: PromoSet
}

/** The sets that are in use, of the app's `s` for which `which` holds. */
export async function readPromoSets(ctx: Context, which: Sql): Promise<NumberedSet[]> {
  const rows = await db(ctx).query<SetRow>(sql`
    select s.set_no, s.track_id, c.name, s.total_rows, s.codes, s.duplicates, s.already_used, s.given,
      coalesce(s.activated_at, s.created_at) as activated_at
    from promo_sets s left join campaigns c on c.app_id = s.app_id and c.track_id = s.track_id
    where s.app_id = ${ctx.app.id} and s.state = 'active' and ${which}`)
  return rows.map((row) => ({ setNo: row.set_no, set: promoSet(row) }))
}

/** When few are left is the same here as in promo/emit-low-sets.ts, which says it once. */
const fewCodes = 100

function promoSet(row: SetRow): PromoSet {
  const left = Math.max(0, row.codes - row.already_used - row.given)
  const lowBelow = Math.max(fewCodes, Math.floor(row.codes / 10))
  return {
    ...(row.track_id !== '' && { trackId: row.track_id }),
    ...(row.name !== null && { campaignName: row.name }),
    totalRows: row.total_rows,
    codes: row.codes,
    duplicates: row.duplicates,
    alreadyUsed: row.already_used,
    given: row.given,
    left,
    lowBelow,
    isLow: left === 0 || (row.given > 0 && left < lowBelow),
    uploadedAt: row.activated_at.getTime(),
  }
}
