import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { CodesWanted } from './take-codes-store.ts'
import { lockActiveSet, lockMessage } from './take-codes-store.ts'

/**
 * Takes back the codes of users who were not shown them. Each goes to the sets in use that have it and are past it: there
 * it is given before all others. Locks in the order of takeCodes.
 */
export async function returnCodes(tx: Transaction, given: CodesWanted): Promise<void> {
  const { appId, messageId, trackId, userNos } = given
  if (userNos.length === 0) return
  await lockMessage(tx, given)
  for (const each of trackId ? [trackId, ''] : ['']) await lockActiveSet(tx, appId, each)
  await tx.query(sql`
    with back as (
      delete from promo_given
      where app_id = ${appId} and message_id = ${messageId} and user_no = any(${userNos}::bigint[]) returning code, set_no
    ), counted as (
      update promo_sets s set given = s.given - b.count
      from (select set_no, count(*) as count from back group by set_no) b
      where s.app_id = ${appId} and s.set_no = b.set_no
    )
    insert into promo_returned (app_id, set_no, code)
    select s.app_id, s.set_no, b.code
    from back b
    join promo_sets s on s.app_id = ${appId} and s.state = 'active' and b.code <= s.taken_up_to
    join promo_codes c on c.app_id = s.app_id and c.set_no = s.set_no and c.code = b.code
    on conflict do nothing`)
}
