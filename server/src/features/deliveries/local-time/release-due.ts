import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

const batchesAtOnce = 1_000

/**
 * Batches that wait for the local time of their users are in the lane `later`, where nobody takes them, wakes them or
 * waits for them; their stream says where they belong: `group/fcm`, `personal/mixed`. Those whose time has come are moved
 * there, or wait for their turn where the message has a pace. Answers whether there were any.
 */
export async function releaseDue(database: Database): Promise<boolean> {
  const rows = await database.query(
    sql`update delivery_batches b
        set lane = case when b.stream like 'personal/%' and p.message_id is null then 'personal' else 'group' end,
          stream = split_part(b.stream, '/', -1),
          paced_from = case when p.message_id is not null then peyk_now() end,
          available_at = case when p.message_id is not null then b.expires_at else b.available_at end
        from (
          select app_id, batch_no, message_id from delivery_batches
          where lane = 'later' and state = 'queued' and stream <> 'expand' and available_at <= peyk_now()
          order by available_at limit ${batchesAtOnce} for update skip locked
        ) due left join message_paces p on p.app_id = due.app_id and p.message_id = due.message_id
        where b.app_id = due.app_id and b.batch_no = due.batch_no
        returning 1`,
    'release-due',
  )
  return rows.length > 0
}
