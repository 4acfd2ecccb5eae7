import type { ComposedMessage } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import { isUuid } from '#base/ids.ts'
import type { Database, Transaction } from '#base/store/store.ts'
import type { ScheduledDraft } from '../../messages/schedule/draft-scheduled.ts'
import type { ScheduledRequest } from '../../messages/schedule/scheduled-message.ts'
import type { ResolvedAudience } from '../../segments/read/resolve-audience.ts'

export interface ApprovalRow {
  app_id: number
  id: string
  composed: ComposedMessage
  /** The message with its template's texts; null in requests of earlier versions. */
  sent: ScheduledRequest | null
  user_ids: string[] | null
  target: ResolvedAudience | null
  count: number
  asked_at: Date
  asked_by: string
  asked_by_id: string
  /** Hash of what was asked for; null in requests of earlier versions. */
  asked_as: string | null
  lapses_at: Date
  /** The scheduled message to reschedule. */
  moves: string | null
  decision: 'approved' | 'declined' | 'withdrawn' | null
  decided_at: Date | null
  decided_by: string | null
  reason: string | null
  message_id: string | null
  series_id: string | null
}

const columns = sql`app_id, id, composed, sent, user_ids, target, count, asked_at, asked_by, asked_by_id, asked_as, lapses_at, moves,
  decision, decided_at, decided_by, reason, message_id, series_id`

export type Asked = Omit<ApprovalRow, 'decision' | 'decided_at' | 'decided_by' | 'reason' | 'message_id' | 'series_id'>

export async function insertApproval(tx: Transaction, asked: Asked): Promise<void> {
  await tx.query(sql`
    insert into send_approvals
      (app_id, id, composed, sent, user_ids, target, count, asked_at, asked_by, asked_by_id, asked_as, lapses_at, moves)
    values (${asked.app_id}, ${asked.id}, ${JSON.stringify(asked.composed)}::jsonb, ${JSON.stringify(asked.sent)}::jsonb,
      ${asked.user_ids}::text[], ${asked.target && JSON.stringify(asked.target)}::jsonb, ${asked.count}, ${asked.asked_at},
      ${asked.asked_by}, ${asked.asked_by_id}, ${asked.asked_as}, ${asked.lapses_at}, ${asked.moves}::uuid)`)
}

/** One at a time asks: their number is looked at before. */
export async function countWaitingAlone(tx: Transaction, appId: number, now: Date): Promise<number> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtextextended(${`approvals ${appId}`}, 0))`)
  const [row] = await tx.query<{ count: number }>(sql`
    select count(*)::int as count from send_approvals where app_id = ${appId} and decision is null and lapses_at > ${now}`)
  return row?.count ?? 0
}

export async function findApproval(
  database: Database,
  { appId, id }: { appId: number; id: string },
): Promise<ApprovalRow | undefined> {
  const [row] = await database.query<ApprovalRow>(
    sql`select ${columns} from send_approvals where app_id = ${appId} and id = ${id}`,
  )
  return row
}

/** Nobody else decides until the transaction ends. */
export async function lockApproval(
  tx: Transaction,
  { appId, id }: { appId: number; id: string },
): Promise<ApprovalRow | undefined> {
  const [row] = await tx.query<ApprovalRow>(
    sql`select ${columns} from send_approvals where app_id = ${appId} and id = ${id} for update`,
  )
  return row
}

export async function listWaitingRows(database: Database, appId: number, now: Date): Promise<ApprovalRow[]> {
  return database.query<ApprovalRow>(sql`
    select ${columns} from send_approvals
    where app_id = ${appId} and decision is null and lapses_at > ${now} order by asked_at, id`)
}

/** Those that wait no more, the newest first. */
export async function listPastRows(
  database: Database,
  { appId, now, limit }: { appId: number; now: Date; limit: number },
): Promise<ApprovalRow[]> {
  return database.query<ApprovalRow>(sql`
    select ${columns} from send_approvals
    where app_id = ${appId} and (decision is not null or lapses_at <= ${now})
      and asked_at > ${now}::timestamptz - interval '30 days'
    order by coalesce(decided_at, lapses_at) desc, id limit ${limit}`)
}

/** Those that name a user, as a statement. */
export function approvalsFor({ appId, userId }: { appId: number; userId: string }): Sql {
  return sql`
    select ${columns} from send_approvals where app_id = ${appId} and user_ids @> array[${userId}::text] order by id`
}

export interface Decision {
  decision: 'approved' | 'declined' | 'withdrawn'
  at: Date
  by: string
  reason?: string | undefined
  messageId?: string | undefined
  seriesId?: string | undefined
  /** The approved content: a template or saved segment may have changed since the request. */
  outgoing?: Pick<ScheduledDraft, 'sent' | 'target'>
}

export async function decideApproval(tx: Transaction, row: ApprovalRow, decision: Decision): Promise<void> {
  const { sent, target } = decision.outgoing ?? row
  await tx.query(sql`
    update send_approvals
    set decision = ${decision.decision}, decided_at = ${decision.at}, decided_by = ${decision.by}, reason = ${decision.reason ?? null},
      message_id = ${decision.messageId ?? null}, series_id = ${decision.seriesId ?? null},
      sent = ${sent && JSON.stringify(sent)}::jsonb, target = ${target ? JSON.stringify(target) : null}::jsonb
    where app_id = ${row.app_id} and id = ${row.id}`)
}

/** A new request to reschedule a message replaces the previous one. */
export async function withdrawMoves(
  tx: Transaction,
  { appId, id, at, by }: { appId: number; id: string; at: Date; by: string },
): Promise<void> {
  await tx.query(sql`
    update send_approvals set decision = 'withdrawn', decided_at = ${at}, decided_by = ${by}
    where app_id = ${appId} and moves = ${uuidOf(id)}::uuid and decision is null and lapses_at > ${at}`)
}

/** Records that a message, an occurrence, or a series is no longer what was approved. */
export async function revokeApprovals(tx: Transaction, { appId, id }: { appId: number; id: string }): Promise<void> {
  const uuid = uuidOf(id)
  await tx.query(sql`
    update send_approvals set revoked_ids = array_append(revoked_ids, ${uuid}::uuid)
    where app_id = ${appId} and decision = 'approved' and (message_id = ${uuid}::uuid or series_id = ${uuid}::uuid
      or series_id = (select series_id from scheduled_messages where app_id = ${appId} and id = ${uuid}::uuid))`)
}

function uuidOf(id: string): string | null {
  return isUuid(id) ? id : null
}
