import sql, { empty, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { quotedArray } from '#base/store/plain-array.ts'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { compileAudience } from '../../segments/compile/compile-audience.ts'
import type { Audience } from '../../segments/read/resolve-audience.ts'
import type { Draft } from '../accept/draft-message.ts'
import { onChannel, onlyOpen } from '../accept/recipients-condition.ts'
import type { LocalTime } from '../local-time/local-time.ts'
import type { Occurrence, ScheduledMessage } from './scheduled-message.ts'

/**
 * With a local time, both are in a list: a process of the version before, which knows nothing of it, finds no message there
 * and starts none, instead of sending to everybody when the first users are due.
 */
type StoredRequest = ScheduledMessage['sent'] | [LocalTime, ScheduledMessage['sent']]

export interface ScheduledRow {
  app_id: number
  id: string
  product: ScheduledMessage['product']
  sent: StoredRequest
  user_ids: string[] | null
  target: NonNullable<ScheduledMessage['target']> | null
  count: number
  created_at: Date
  created_by: string | null
  due_at: Date
  cancelled_at: Date | null
  series_id: string | null
  occurs_at: Date | null
  is_changed: boolean | null
  is_held: boolean
  approved_as: string | null
}

/** `infinity`: its series is paused. */
const columns = sql`app_id, id, product, sent, user_ids, target, count, created_at, created_by, due_at, cancelled_at,
  series_id, occurs_at, is_changed, available_at = 'infinity' as is_held, approved_as`

export async function insertScheduled(database: Database, messages: readonly ScheduledMessage[]): Promise<void> {
  await database.query(sql`
    insert into scheduled_messages
      (app_id, id, product, sent, user_ids, target, count, created_at, created_by, due_at, available_at, series_id, occurs_at, is_changed, approved_as)
    select app_id, id, product, sent, user_ids::text[], target, count, created_at, created_by, due_at,
      case when is_held then 'infinity' else due_at end, series_id, occurs_at, is_changed, approved_as
    from ${unnestRows(messages, 'm', {
      app_id: ['int', (each) => each.appId],
      id: ['uuid', (each) => each.id],
      product: ['text', (each) => each.product],
      sent: ['jsonb', (each) => JSON.stringify(storedRequest(each))],
      user_ids: ['text', (each) => (each.userIds ? quotedArray(each.userIds) : null)],
      target: ['jsonb', (each) => (each.target ? JSON.stringify(each.target) : null)],
      count: ['int', (each) => each.count],
      created_at: ['timestamptz', (each) => each.createdAt.toISOString()],
      created_by: ['text', (each) => each.createdBy ?? null],
      due_at: ['timestamptz', (each) => each.dueAt.toISOString()],
      series_id: ['uuid', (each) => each.occurrence?.seriesId ?? null],
      occurs_at: ['timestamptz', (each) => each.occurrence?.at.toISOString() ?? null],
      is_changed: ['boolean', (each) => each.occurrence?.isChanged ?? null],
      is_held: ['boolean', (each) => each.occurrence?.isHeld ?? false],
      approved_as: ['text', (each) => each.approvedAs ?? null],
    })}`)
}

/** With `isLocked`, nobody starts, changes or cancels it until the transaction ends. */
export async function findScheduled(
  database: Database,
  { appId, id, isLocked = false }: { appId: number; id: string; isLocked?: boolean },
): Promise<ScheduledMessage | undefined> {
  const [row] = await database.query<ScheduledRow>(sql`
    select ${columns} from scheduled_messages where app_id = ${appId} and id = ${id} ${isLocked ? sql`for update` : empty}`)
  return row && readScheduled(row)
}

/** What goes next comes first. What is held does not go. */
export async function listScheduledRows(
  database: Database,
  { appId, after, limit }: { appId: number; after?: { dueAt: Date; id: string } | undefined; limit: number },
): Promise<ScheduledMessage[]> {
  const rows = await database.query<ScheduledRow>(sql`
    select ${columns} from scheduled_messages
    where app_id = ${appId} and cancelled_at is null and available_at < 'infinity'
      ${after ? sql`and (due_at, id) > (${after.dueAt}, ${after.id}::uuid)` : empty}
    order by due_at, id limit ${limit}`)
  return rows.map(readScheduled)
}

/** Those that name a user, as a statement: there may be many. */
export function scheduledFor({ appId, userId }: { appId: number; userId: string }): Sql {
  return sql`
    select ${columns} from scheduled_messages where app_id = ${appId} and user_ids @> array[${userId}::text] order by id`
}

/** Those that belong to no series. Nobody else has them until the transaction ends. */
export async function takeDue(
  tx: Transaction,
  { areNamed, limit }: { areNamed: boolean; limit: number },
): Promise<(ScheduledMessage & { appLabel: string })[]> {
  const rows = await tx.query<ScheduledRow & { label: string }>(
    sql`with due as (
          select * from scheduled_messages
          where available_at <= peyk_now() and cancelled_at is null and series_id is null
            and user_ids is ${areNamed ? sql`not` : empty} null
          order by available_at, id limit ${limit} for update skip locked
        )
        select ${columns}, (select label from apps where apps.app_id = due.app_id) as label from due order by due_at, id`,
    areNamed ? 'take-due-named' : 'take-due-group',
  )
  return rows.map((row) => ({ ...readScheduled(row), appLabel: row.label }))
}

/** The same for occurrences of a series, which the caller has locked. One that is being changed now is left for the next look. */
export async function takeDueOccurrences(
  tx: Transaction,
  { appId, seriesId }: { appId: number; seriesId: string },
): Promise<(ScheduledMessage & { appLabel: string })[]> {
  const rows = await tx.query<ScheduledRow & { label: string }>(
    sql`with due as (
          select * from scheduled_messages
          where app_id = ${appId} and series_id = ${seriesId} and available_at <= peyk_now() and cancelled_at is null
          for update skip locked
        )
        select ${columns}, (select label from apps where apps.app_id = due.app_id) as label from due order by due_at, id`,
    'take-due-occurrences',
  )
  return rows.map((row) => ({ ...readScheduled(row), appLabel: row.label }))
}

/** An occurrence of a series is left alone from then on when that is changed. */
export async function replaceScheduled(database: Database, message: ScheduledMessage): Promise<void> {
  const { appId, id, userIds, target, count, dueAt, approvedAs } = message
  await database.query(sql`
    update scheduled_messages
    set sent = ${JSON.stringify(storedRequest(message))}::jsonb, user_ids = ${userIds ?? null}::text[],
      target = ${target ? JSON.stringify(target) : null}::jsonb, count = ${count}, due_at = ${dueAt},
      available_at = case when available_at = 'infinity' then available_at else ${dueAt} end,
      is_changed = case when series_id is not null then true end, approved_as = ${approvedAs ?? null}
    where app_id = ${appId} and id = ${id}`)
}

/** A message that started is one of `messages` from then on. */
export async function removeScheduled(database: Database, started: readonly ScheduledMessage[]): Promise<void> {
  await database.query(sql`
    delete from scheduled_messages s using ${keysOf(started)} where s.app_id = k.app_id and s.id = k.id`)
}

export async function postponeScheduled(database: Database, messages: readonly ScheduledMessage[]): Promise<void> {
  await database.query(sql`
    update scheduled_messages s set available_at = peyk_now() + interval '30 seconds'
    from ${keysOf(messages)} where s.app_id = k.app_id and s.id = k.id`)
}

export async function markScheduledCancelled(
  database: Database,
  { appId, id, at }: { appId: number; id: string; at: Date },
): Promise<void> {
  await database.query(sql`
    update scheduled_messages set cancelled_at = coalesce(cancelled_at, ${at}) where app_id = ${appId} and id = ${id}`)
}

export async function markApproved(database: Database, messages: readonly ScheduledMessage[]): Promise<void> {
  await database.query(sql`
    update scheduled_messages s set approved_as = m.approved_as
    from ${unnestRows(messages, 'm', {
      app_id: ['int', (each) => each.appId],
      id: ['uuid', (each) => each.id],
      approved_as: ['text', (each) => each.approvedAs ?? null],
    })}
    where s.app_id = m.app_id and s.id = m.id`)
}

/** Returns the occurrences of a series that have not started, and locks them. */
export async function listOccurrences(
  tx: Transaction,
  { appId, id }: { appId: number; id: string },
): Promise<ScheduledMessage[]> {
  const rows = await tx.query<ScheduledRow>(sql`
    select ${columns} from scheduled_messages
    where app_id = ${appId} and series_id = ${id} and cancelled_at is null order by id for update`)
  return rows.map(readScheduled)
}

/** Installations that an audience has at this moment. */
export async function countAudience(ctx: Context, audience: Audience, draft: Draft): Promise<number> {
  const condition = await compileAudience(ctx, audience, draft.acceptedAt)
  const [row] = await db(ctx).query<{ count: number }>(sql`
    select count(*) from installations i where ${condition}${onChannel(draft.channel.subscription)}${onlyOpen(draft.body)}`)
  return row?.count ?? 0
}

function keysOf(messages: readonly ScheduledMessage[]): Sql {
  return unnestRows(messages, 'k', { app_id: ['int', (each) => each.appId], id: ['uuid', (each) => each.id] })
}

function storedRequest({ sent, localTime }: ScheduledMessage): StoredRequest {
  return localTime ? [localTime, sent] : sent
}

export function readScheduled(row: ScheduledRow): ScheduledMessage {
  const { sent } = row
  return {
    appId: row.app_id,
    id: row.id,
    product: row.product,
    ...(Array.isArray(sent) ? { localTime: sent[0], sent: sent[1] } : { localTime: undefined, sent }),
    userIds: row.user_ids ?? undefined,
    target: row.target ?? undefined,
    count: row.count,
    createdAt: row.created_at,
    createdBy: row.created_by ?? undefined,
    dueAt: row.due_at,
    cancelledAt: row.cancelled_at ?? undefined,
    occurrence: row.series_id === null ? undefined : readOccurrence(row),
    approvedAs: row.approved_as ?? undefined,
  }
}

function readOccurrence({ series_id, occurs_at, due_at, is_changed, is_held }: ScheduledRow): Occurrence {
  return {
    seriesId: series_id as string,
    at: occurs_at ?? due_at,
    isChanged: is_changed ?? false,
    isHeld: is_held,
  }
}
