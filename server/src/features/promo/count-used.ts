import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { SetKey } from './stage-codes.ts'

/**
 * How many codes of a set this app has given before [promo-codes.md#upload]. The set is so new that PostgreSQL knows
 * nothing of its size: `offset 0` keeps it from choosing which side to walk along, the shorter one.
 */
export async function countUsed(tx: Transaction, { appId, setNo }: SetKey, codes: number): Promise<number> {
  const [given] = await tx.query<{ count: number }>(sql`
    select count(*) from (select from promo_given where app_id = ${appId} limit ${codes}) g`)
  if (!given || given.count === 0) return 0
  const [used] = await tx.query<{ count: number }>(
    given.count < codes
      ? sql`select count(*) from promo_given g where g.app_id = ${appId} and exists (
          select from promo_codes c where c.app_id = ${appId} and c.set_no = ${setNo} and c.code = g.code offset 0)`
      : sql`select count(*) from promo_codes c where c.app_id = ${appId} and c.set_no = ${setNo} and exists (
          select from promo_given g where g.app_id = ${appId} and g.code = c.code offset 0)`,
  )
  return used?.count ?? 0
}
