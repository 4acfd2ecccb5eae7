import type { ComposedMessage } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import type { Database, Transaction } from '../../../base/store/store.ts'
import type { ResolvedAudience } from '../../segments/read/resolve-audience.ts'

export interface ApprovalRow {
  app_id: number
  id: string
  composed: ComposedMessage
  user_ids: string[] | null
  target: ResolvedAudience | null
  count: number
  asked_at: Date
  asked_by: string
  asked_by_id: string
  lapses_at: Date
  decision: 'approved' | 'declined' | 'withdrawn' | null
  decided_at: Date | null
  decided_by: string | null
  reason: string | null
  message_id: string | null
  series_id: string | null
}

const columns = sql`app_id, id, composed, user_ids, target, count, asked_at, asked_by, asked_by_id, lapses_at, decision, decided_at,
  decided_by, reason, message_id, series_id`

export type Asked = Omit<ApprovalRow, 'decision' | 'decided_at' | 'decided_by' | 'reason' | 'message_id' | 'series_id'>

export async function insertApproval(tx: Transaction, asked: Asked): Promise<void> {
  await tx.query(sql`
    insert into send_approvals (app_id, id, composed, user_ids, target, count, asked_at, asked_by, asked_by_id, lapses_at)
    values (${asked.app_id}, ${asked.id}, ${JSON.stringify(asked.composed)}::jsonb, ${asked.user_ids}::text[],
      ${asked.target && JSON.stringify(asked.target)}::jsonb, ${asked.count}, ${asked.asked_at}, ${asked.asked_by},
      ${asked.asked_by_id}, ${asked.lapses_at})`)
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
}

export async function decideApproval(tx: Transaction, row: ApprovalRow, decision: Decision): Promise<void> {
  await tx.query(sql`
    update send_approvals
    set decision = ${decision.decision}, decided_at = ${decision.at}, decided_by = ${decision.by}, reason = ${decision.reason ?? null},
      message_id = ${decision.messageId ?? null}, series_id = ${decision.seriesId ?? null}
    where app_id = ${row.app_id} and id = ${row.id}`)
}
