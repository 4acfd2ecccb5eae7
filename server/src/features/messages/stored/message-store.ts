import sql, { empty, type Sql } from 'sql-template-tag'
import { type Context, db } from '../../../base/context.ts'
import type { MessageRow } from './message-answer.ts'

const columns = sql`
  m.id, m.accepted_at, m.expires_at, m.cancelled_at, m.paused_at, m.finished_at, m.recipients, m.product, m.audience, m.channel, m.track_id,
  m.client_id, m.body, m.target, named.user_id, named.user_count`

const named = sql`
  left join lateral (
    select min(mu.user_id) as user_id, count(*)::int as user_count
    from message_users mu where mu.app_id = m.app_id and mu.message_id = m.id and m.audience = 'users'
  ) named on true`

export async function findMessageRow(ctx: Context, id: string): Promise<MessageRow | undefined> {
  const [row] = await db(ctx).query<MessageRow>(
    sql`select ${columns} from messages m ${named} where m.app_id = ${ctx.app.id} and m.id = ${id}`,
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
    ? sentTo(ctx, user, before, conditions)
    : sql`select m.* from messages m
          where m.app_id = ${ctx.app.id} ${when(before, (value) => sql`and m.id < ${value}::uuid`)} ${conditions}
          order by m.id desc`
  return db(ctx).query<MessageRow>(sql`select ${columns} from (${found} limit ${limit}) m ${named} order by m.id desc`)
}

/** `offset 0`: from the user's own list to the messages, never the other way round. */
function sentTo(ctx: Context, user: string, before: string | undefined, conditions: Sql): Sql {
  return sql`
    select m.* from message_users mu cross join lateral (
      select * from messages where app_id = mu.app_id and id = mu.message_id offset 0
    ) m
    where mu.app_id = ${ctx.app.id} and mu.user_id = ${user}
      ${when(before, (value) => sql`and mu.message_id < ${value}::uuid`)} ${conditions}
    order by mu.message_id desc`
}

function when<T>(value: T | undefined, part: (value: T) => Sql): Sql {
  return value === undefined ? empty : part(value)
}
