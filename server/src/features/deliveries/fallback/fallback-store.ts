import sql from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'

/** [choice 29] See the state machine in fallback-loop.ts. */
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
