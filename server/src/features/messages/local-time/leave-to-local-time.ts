import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { Draft } from '../accept/draft-message.ts'

/**
 * In the transaction that stores messages: what they leave for deliveries, those with a local time leave to be cut by the
 * moments of their users first. Until then their SMS wait for the last of these.
 */
export async function leaveToLocalTime(tx: Transaction, drafts: readonly Draft[]): Promise<void> {
  for (const { appId, id, expiresAt, body } of drafts) {
    const { localTime, fallback } = body
    if (!localTime) continue
    const left = await tx.query<{ batch_no: number }>(sql`
      update delivery_batches set lane = 'later', stream = 'expand', available_at = peyk_now(), paced_from = null
      where app_id = ${appId} and message_id = ${id} returning batch_no`)
    if (!fallback) continue
    const last = expiresAt.getTime() - localTime.ttl * 1_000
    await tx.query(sql`
      update sms_fallbacks set due_at = ${new Date(last + fallback.delay * 1_000)} where app_id = ${appId} and message_id = ${id}`)
    // Users without a device get their SMS at their time as well.
    if (left.length === 0) {
      await tx.query(sql`
        insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
        values (${appId}, ${id}, 'later', 'expand', '{}')`)
    }
  }
}
