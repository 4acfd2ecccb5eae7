import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** When all moments of a message with a local time are known, it ends with the last of them, and not when it could have. */
export async function shortenMessage(
  database: Database,
  { appId, messageId }: { appId: number; messageId: string },
): Promise<void> {
  await database.query(sql`
    update messages m set expires_at = greatest(e.ends_at, peyk_now())
    from (select max(ends_at) as ends_at from message_ends where app_id = ${appId} and message_id = ${messageId}) e
    where m.app_id = ${appId} and m.id = ${messageId} and e.ends_at is not null and not exists (
      select from delivery_batches b
      where b.app_id = m.app_id and b.message_id = m.id and b.lane = 'later' and b.stream = 'expand')`)
}
