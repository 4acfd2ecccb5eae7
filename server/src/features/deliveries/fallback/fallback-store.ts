import sql, { type Sql } from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** [sending.md#sms-fallback] See the state machine in fallback-loop.ts. */
export const fallbackStates = [
  'waiting',
  'cancelled',
  'sending',
  'sent',
  'refused',
  'unknown',
  'no-phone',
  'no-provider',
  'expired',
  'over-limit',
] as const
export type FallbackState = (typeof fallbackStates)[number]

interface MessageKey {
  appId: number
  messageId: string
}

/** In the transaction that cancels the message: no SMS for it starts after that. */
export async function cancelFallbacks(database: Database, { appId, messageId }: MessageKey): Promise<void> {
  await database.query(sql`
    update sms_fallbacks set state = 'cancelled', detail = 'the message was cancelled', updated_at = peyk_now()
    where app_id = ${appId} and message_id = ${messageId} and state = 'waiting'`)
}

/** Of f, an SMS: its message is paused, and it waits as well. */
export const isHeldBack = sql`exists (
  select from messages m where m.app_id = f.app_id and m.id = f.message_id and m.paused_at is not null)`

/** Of f, an SMS: a device of its user still waits for its first turn at the pace of the message (deliveries/pace). */
export const waitsForTurn = sql`exists (
  select from (select app_id, message_id from message_paces where app_id = f.app_id and message_id = f.message_id offset 0) p
  cross join lateral (
    select installation_nos from delivery_batches
    where app_id = p.app_id and message_id = p.message_id and state in ('queued', 'paused') and paced_from is not null and attempts = 0
    offset 0
  ) b
  join users u on u.app_id = f.app_id and u.user_id = f.user_id
  join installations i on i.app_id = u.app_id and i.user_no = u.user_no
  where i.installation_no = any(b.installation_nos))`

/**
 * In the transaction that resumes all sending of an app: its SMS wait for the rest of their delay, as if the time since
 * the stop, or since the message was accepted, had not passed. For those of a paused message that time ends with the pause:
 * what comes after it is added when the message is resumed.
 */
export function delayFallbacksOfApp(database: Database, appId: number, stoppedAt: Date): Promise<void> {
  return delayFallbacks(database, {
    which: sql`f.app_id = ${appId}`,
    by: sql`coalesce(m.paused_at, peyk_now()) - greatest(m.accepted_at, ${stoppedAt}, ${localStart})`,
  })
}

/**
 * In the transaction that resumes a message: the same for its SMS. While the app is stopped, that time ends with the
 * stop.
 */
export function delayFallbacksOfMessage(
  database: Database,
  { appId, messageId }: MessageKey,
  pausedAt: Date,
): Promise<void> {
  return delayFallbacks(database, {
    which: sql`f.app_id = ${appId} and f.message_id = ${messageId}`,
    by: sql`coalesce((select a.stopped_at from apps a where a.app_id = m.app_id), peyk_now()) - greatest(${pausedAt}, ${localStart})`,
  })
}

/** Of f, an SMS of the message m: when its delay begins, where that is the local time of its user; else null. */
const localStart = sql`case when f.expires_at is not null
  then f.due_at - (m.body -> 'fallback' ->> 'delay')::float8 * interval '1 second' end`

async function delayFallbacks(database: Database, { which, by }: { which: Sql; by: Sql }): Promise<void> {
  await database.query(sql`
    with own as (
      select f.app_id, f.message_id, f.user_id, ${by} as delay
      from sms_fallbacks f join messages m on m.app_id = f.app_id and m.id = f.message_id
      where ${which} and f.state = 'waiting'
      order by f.app_id, f.message_id, f.user_id
      for update of f
    )
    update sms_fallbacks f set due_at = f.due_at + own.delay
    from own
    where f.app_id = own.app_id and f.message_id = own.message_id and f.user_id = own.user_id
      and own.delay > interval '0'`)
}

/** How many SMS of a message are in which state; only states that occur. Empty when it has no fallback. */
export async function countFallbacks(
  database: Database,
  { appId, messageId }: MessageKey,
): Promise<Partial<Record<FallbackState, number>>> {
  const rows = await database.query<{ state: FallbackState; count: number }>(
    sql`select state, count(*) as count from sms_fallbacks
        where app_id = ${appId} and message_id = ${messageId} group by state order by state`,
    'count-fallbacks',
  )
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}
