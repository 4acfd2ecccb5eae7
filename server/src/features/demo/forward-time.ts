import sql, { raw } from 'sql-template-tag'
import { rememberDays } from '#base/store/clock/proven-time.ts'
import type { Store, Transaction } from '#base/store/store.ts'

/** For demonstrations: lets so much time pass at once, for all that is stored and all processes. It never goes back. */
export async function forwardTime(store: Store, seconds: number): Promise<void> {
  if (!Number.isSafeInteger(seconds) || seconds < 1) throw new RangeError('Time only goes forward.')
  await store.transaction(async (tx) => {
    await tx.query(sql`select pg_advisory_xact_lock(7394015)`)
    const [row] = await tx.query<{ ahead: number }>(sql`select extract(epoch from peyk_now() - now())::float8 as ahead`)
    const ahead = Math.round(row?.ahead ?? 0) + seconds
    await tx.query(
      raw(`create or replace function peyk_now() returns timestamptz language sql stable parallel safe
        return now() + interval '${ahead} seconds'`),
    )
    // The days that passed were lived through on purpose.
    const [now] = await tx.query<{ at: Date }>(sql`select now() + ${ahead} * interval '1 second' as at`)
    await rememberDays(tx, now?.at as Date)
    await keepLeases(tx, seconds)
  })
}

/** What a process holds it holds as long as before: else others would do the same work at the same time. */
async function keepLeases(tx: Transaction, seconds: number): Promise<void> {
  const more = sql`${seconds} * interval '1 second'`
  await tx.query(sql`update delivery_batches set available_at = available_at + ${more} where lease_holder is not null`)
  await tx.query(sql`update recall_batches set available_at = available_at + ${more} where lease_holder is not null`)
  await tx.query(sql`update webhook_calls set available_at = available_at + ${more} where lease_holder is not null`)
  await tx.query(sql`update sms_fallbacks set updated_at = updated_at + ${more} where state = 'sending'`)
}
