import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Store } from '#base/store/store.ts'

const codesAtOnce = 20_000

interface Job extends Pick<Context, 'store' | 'now' | 'log'> {
  /** Aborted: the rest is left to the next time. */
  signal?: AbortSignal
}

/** Removes the codes of replaced sets, a piece at a time; the sets themselves stay, for the figures. */
export async function sweepPromoSets({ store, log, signal }: Job): Promise<number> {
  const sets = await store.query<{ app_id: number; set_no: number }>(sql`
    select app_id, set_no from promo_sets s
    where state = 'replaced' and exists (select from promo_codes c where c.app_id = s.app_id and c.set_no = s.set_no)
    order by app_id, set_no`)
  await store.query(sql`
    delete from promo_returned r using promo_sets s
    where s.app_id = r.app_id and s.set_no = r.set_no and s.state = 'replaced'`)
  let removed = 0
  for (const set of sets) removed += await removeCodes(store, set.app_id, set.set_no, signal)
  if (removed > 0) log.info({ codes: removed }, 'codes of replaced promo sets were removed')
  return removed
}

/** Goes on after the last code each time: what was just removed is still in the index, and would be walked again. */
async function removeCodes(store: Store, appId: number, setNo: number, signal?: AbortSignal): Promise<number> {
  let removed = 0
  let after = ''
  while (!signal?.aborted) {
    const [piece] = await store.query<{ last: string | null }>(sql`
      select max(code) as last from (
        select code from promo_codes where app_id = ${appId} and set_no = ${setNo} and code > ${after}
        order by code limit ${codesAtOnce}) c`)
    if (!piece?.last) break
    const [gone] = await store.query<{ count: number }>(sql`
      with gone as (
        delete from promo_codes
        where app_id = ${appId} and set_no = ${setNo} and code > ${after} and code <= ${piece.last} returning 1)
      select count(*) from gone`)
    removed += gone?.count ?? 0
    after = piece.last
  }
  return removed
}
