import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { isUnclear } from '../control/cancelled-store.ts'

interface MessageKey {
  appId: number
  messageId: string
}

export interface RecallCounts {
  /** Devices that may have the message, of those that were looked at. */
  handedOver: number
  /** Those of them that were told to take it away. */
  cleared: number
  /** Those that a push still is to tell. */
  waiting: number
  /** All devices were looked at. */
  isListed: boolean
}

export async function insertRecall(tx: Transaction, { appId, messageId }: MessageKey): Promise<void> {
  await tx.query(sql`
    insert into recalls (app_id, message_id) values (${appId}, ${messageId}) on conflict do nothing`)
}

/** Undefined when the message was not recalled. */
export async function findRecallCounts(
  database: Database,
  { appId, messageId }: MessageKey,
): Promise<RecallCounts | undefined> {
  const [row] = await database.query<RecallCounts>(
    sql`select r.handed_over as "handedOver", r.cleared, r.listed_at is not null as "isListed", (
          select count(*) from recall_batches b cross join lateral unnest(b.installation_nos) as l(number)
          join deliveries d on d.app_id = b.app_id and d.message_id = b.message_id and d.installation_no = l.number
          where b.app_id = r.app_id and b.message_id = r.message_id and d.in_inbox) as waiting
        from recalls r where r.app_id = ${appId} and r.message_id = ${messageId}`,
    'find-recall-counts',
  )
  return row
}

/** Whether a process died while it sent part of the message, and nothing about that part is recorded yet. */
export async function hasUnclearPart(database: Database, { appId, messageId }: MessageKey): Promise<boolean> {
  const rows = await database.query(sql`
    select from delivery_batches b where b.app_id = ${appId} and b.message_id = ${messageId} and ${isUnclear} limit 1`)
  return rows.length > 0
}

/**
 * Notes that devices have been told, each once: they have the mark of the inbox until then. Others may have had it because
 * the message was on its way to them when it was cancelled; these do not count.
 */
export async function noteCleared(
  tx: Transaction,
  { appId, messageId, installationNos }: MessageKey & { installationNos: readonly number[] },
): Promise<void> {
  await tx.query(
    sql`with told as materialized (
          select installation_no, state, reason from deliveries
          where app_id = ${appId} and message_id = ${messageId} and installation_no = any(${installationNos}::bigint[]) and in_inbox
          order by installation_no for update
        ), unmarked as (
          update deliveries d set in_inbox = false from told
          where d.app_id = ${appId} and d.message_id = ${messageId} and d.installation_no = told.installation_no
          returning told.state, told.reason
        )
        update recalls set cleared = cleared + (
          select count(*) from unmarked where state <> 'ended' or reason = 'unknown')
        where app_id = ${appId} and message_id = ${messageId}`,
    'note-cleared',
  )
}
