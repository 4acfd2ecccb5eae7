import sql, { empty, type Sql } from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import type { MessageRow } from './message-answer.ts'

const columns = sql`
  m.id, m.accepted_at, m.expires_at, m.cancelled_at, m.recipients, m.product, m.audience, m.channel, m.track_id,
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
  return db(ctx).query<MessageRow>(sql`
    select ${columns}
    from (
      select m.* from ${sentTo(ctx, user)}
      where m.app_id = ${ctx.app.id}
        ${when(trackId, (value) => sql`and m.track_id = ${value}`)}
        ${when(clientId, (value) => sql`and m.client_id = ${value}`)}
        ${when(before, (value) => sql`and m.id < ${value}::uuid`)}
        ${user === '*' ? sql`and m.audience = 'public'` : empty}
      order by m.id desc limit ${limit}
    ) m ${named}
    order by m.id desc`)
}

function sentTo(ctx: Context, user: string | undefined): Sql {
  if (user === undefined || user === '*') return sql`messages m`
  return sql`message_users mu join messages m
    on mu.app_id = ${ctx.app.id} and mu.user_id = ${user} and m.app_id = mu.app_id and m.id = mu.message_id`
}

function when<T>(value: T | undefined, part: (value: T) => Sql): Sql {
  return value === undefined ? empty : part(value)
}
