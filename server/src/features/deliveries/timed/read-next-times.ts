import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** What has a time: messages with a pace, batches that wait for a local time, audiences to be divided by it, and recalls. */
export type TimedWork = 'pace' | 'due' | 'expansion' | 'recall'

/** In how many milliseconds the next of each is due, at most `withinMs`, less than none where it is late; null where there is none until then. */
export async function readNextTimes(database: Database, withinMs: number): Promise<Record<TimedWork, number | null>> {
  const soon = sql`peyk_now() + ${withinMs}::int * interval '1 millisecond'`
  const later = sql`from delivery_batches where lane = 'later' and state = 'queued' and available_at <= ${soon}`
  const [row] = await database.query<Record<TimedWork, number | null>>(
    sql`select ${untilMs(sql`select min(next_at) from message_paces where next_at <= ${soon}`)} as pace,
          ${untilMs(sql`select available_at ${later} and stream <> 'expand' order by available_at limit 1`)} as due,
          ${untilMs(sql`select available_at ${later} and stream = 'expand' order by available_at limit 1`)} as expansion,
          ${untilMs(sql`select min(available_at) from recall_batches where available_at <= ${soon}`)} as recall`,
    'read-next-times',
  )
  return row ?? { pace: null, due: null, expansion: null, recall: null }
}

function untilMs(time: Sql): Sql {
  return sql`(extract(epoch from (${time}) - peyk_now()) * 1000)::float8`
}
