import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'

type Job = Pick<Context, 'store'> & { signal?: AbortSignal }

const messagesPerStep = 500
const rowsPerCommit = 20_000

/**
 * [ADR-0099] Clears the inbox mark on deliveries of messages that expired over an hour ago, because results may be
 * stored late. Deliveries sent by a provider are never acknowledged over the connection, and each mark costs a lookup
 * when its device connects. Marks of recalled messages stay until the devices have been notified.
 */
export async function clearExpiredInboxes({ store, signal }: Job): Promise<void> {
  for (;;) {
    const isMore = await store.transaction(clearStep)
    if (!isMore || signal?.aborted) return
  }
}

async function clearStep(tx: Transaction): Promise<boolean> {
  // Two processes take turns.
  await tx.query(sql`select from inbox_sweeps for update`)
  const [step] = await tx.query<{ to: string | null }>(
    sql`select max(expires_at)::text as to from (
          select m.expires_at from messages m, inbox_sweeps s
          where m.expires_at > s.swept_up_to and m.expires_at < peyk_now() - interval '1 hour'
          order by m.expires_at limit ${messagesPerStep}
        ) next`,
    'find-expired-inboxes',
  )
  if (!step?.to) return false
  const cleared = await tx.query(
    sql`update deliveries d set in_inbox = false
        from (
          select d.app_id, d.message_id, d.installation_no
          from inbox_sweeps s
          cross join lateral (
            select app_id, id from messages where expires_at > s.swept_up_to and expires_at <= ${step.to}::timestamptz offset 0
          ) m
          cross join lateral (
            select * from deliveries where app_id = m.app_id and message_id = m.id and in_inbox
              and not exists (select from recalls r where r.app_id = m.app_id and r.message_id = m.id) offset 0
          ) d
          limit ${rowsPerCommit}
        ) k
        where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no returning 1`,
    'clear-inboxes',
  )
  if (cleared.length < rowsPerCommit) await tx.query(sql`update inbox_sweeps set swept_up_to = ${step.to}::timestamptz`)
  return true
}
