import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'

/** Locks the day's count of these apps, in their order, and says how many SMS each has sent today. */
export async function lockSmsDays(tx: Transaction, appIds: readonly number[]): Promise<Map<number, number>> {
  const sorted = appIds.toSorted((a, b) => a - b)
  await tx.query(
    sql`insert into sms_days (app_id, day, sent) select app_id, peyk_now()::date, 0
        from unnest(${sorted}::int[]) with ordinality as k(app_id, position) order by position
        on conflict do nothing`,
    'start-sms-days',
  )
  const rows = await tx.query<{ app_id: number; sent: number }>(
    sql`select app_id, sent from sms_days where app_id = any(${sorted}::int[]) and day = peyk_now()::date
        order by app_id for update`,
    'lock-sms-days',
  )
  return new Map(rows.map(({ app_id, sent }) => [app_id, sent]))
}

/** In a transaction that has locked the day. */
export async function countSms(tx: Transaction, appId: number, count: number): Promise<void> {
  await tx.query(
    sql`update sms_days set sent = sent + ${count} where app_id = ${appId} and day = peyk_now()::date`,
    'count-sms',
  )
}
