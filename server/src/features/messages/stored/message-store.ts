import sql, { empty, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { MessageRow } from './message-answer.ts'
import { messagesNaming, namedUsers } from './named-users.ts'

const columns = sql`
  m.id, m.accepted_at, m.expires_at, m.cancelled_at, m.paused_at, m.finished_at, m.recalled_at, m.recipients, m.product, m.audience, m.channel, m.track_id,
  m.client_id, m.body, m.target, named.user_id, named.user_count,
  (select stopped_at from apps a where a.app_id = m.app_id) as stopped_at`

export async function findMessageRow(ctx: Context, id: string): Promise<MessageRow | undefined> {
  const [row] = await db(ctx).query<MessageRow>(
    sql`select ${columns} from messages m ${namedUsers} where m.app_id = ${ctx.app.id} and m.id = ${id}`,
    'find-message',
  )
  return row
}

export interface MessageQuery {
  trackId: string | undefined
  clientId: string | undefined
  /** A user id, or `*`. */
  user: string | undefined
  before: string | undefined
  limit: number
}

/** Newest first: ids sort by time. */
export async function listMessageRows(ctx: Context, query: MessageQuery): Promise<MessageRow[]> {
  const { trackId, clientId, user, before, limit } = query
  const conditions = sql`
    ${when(trackId, (value) => sql`and m.track_id = ${value}`)}
    ${when(clientId, (value) => sql`and m.client_id = ${value}`)}
    ${user === '*' ? sql`and m.audience = 'public'` : empty}`
  const isByUser = user !== undefined && user !== '*'
  const found = isByUser
    ? messagesNaming({ appId: ctx.app.id, userId: user, before }, sql`m.*`, conditions)
    : sql`select m.* from messages m
          where m.app_id = ${ctx.app.id} ${when(before, (value) => sql`and m.id < ${value}::uuid`)} ${conditions}
          order by m.id desc`
  return db(ctx).query<MessageRow>(
    sql`select ${columns} from (${found} limit ${limit}) m ${namedUsers} order by m.id desc`,
  )
}

function when<T>(value: T | undefined, part: (value: T) => Sql): Sql {
  return value === undefined ? empty : part(value)
}
