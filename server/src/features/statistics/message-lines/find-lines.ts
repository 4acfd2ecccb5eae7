import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import { messagesNaming, namedUsers } from '../../messages/stored/named-users.ts'
import type { LineRow } from './message-line.ts'

/** Words are looked for in so many messages to groups, the latest ones: there is no index of words. */
const searchedMessages = 2_000

export interface LinesWanted {
  search?: string | undefined
  kind?: 'group' | 'personal' | undefined
  trackId?: string | undefined
  before?: string | undefined
  limit: number
}

const columns = sql`
  m.id, m.accepted_at, m.cancelled_at, m.paused_at, m.finished_at, m.recalled_at, m.body -> 'throttle' as throttle, m.recipients, m.product, m.audience, m.channel, m.track_id,
  left(m.body #>> '{notification,title}', 200) as title,
  left(coalesce(m.body #>> '{notification,body}', m.body ->> 'alertText', m.body ->> 'content'), 300) as text,
  m.body ? 'silent' as is_silent, coalesce(m.client_id = 'panel-test', false) as is_test, m.body ?| array['localTime', 'winner'] as is_timed, coalesce(m.audience = 'public' and m.channel = 'default' or m.target -> 'target' = '{}', false) as is_to_all,
  (select name from segments s where s.app_id = m.app_id and s.segment_id = (m.target ->> 'segmentId')::uuid) as segment_name, named.user_id, named.user_count,
  (select stopped_at from apps a where a.app_id = m.app_id) as stopped_at`

/** Newest first: ids sort by time. */
export async function findLines(ctx: Context, wanted: LinesWanted): Promise<LineRow[]> {
  const { search, limit } = wanted
  const ids = search ? searched(ctx, search, wanted) : sql`${all(ctx, wanted)} order by m.id desc limit ${limit}`
  return readLines(ctx, ids)
}

/** The latest messages, the latest of those to groups that are still under way, and some others. */
export async function findLatestLines(
  ctx: Context,
  { latest, underWay, others }: { latest: number; underWay: number; others: readonly string[] },
): Promise<LineRow[]> {
  return readLines(
    ctx,
    sql`(select id from messages where app_id = ${ctx.app.id} order by id desc limit ${latest})
        union
        (select id from messages where app_id = ${ctx.app.id} and audience <> 'users' and finished_at is null
         order by id desc limit ${underWay})
        union
        select id from unnest(${[...others]}::uuid[]) as other(id)`,
    'find-latest-lines',
  )
}

/** `offset 0`: from the ids to the messages, never the other way round. */
function readLines(ctx: Context, ids: Sql, name?: string): Promise<LineRow[]> {
  return db(ctx).query<LineRow>(
    sql`select ${columns}
        from (${ids}) found cross join lateral (
          select * from messages where app_id = ${ctx.app.id} and id = found.id offset 0
        ) m ${namedUsers}
        order by m.id desc`,
    name,
  )
}

function all(ctx: Context, wanted: LinesWanted): Sql {
  return sql`select m.id from messages m where m.app_id = ${ctx.app.id} ${conditions(wanted)}`
}

function conditions({ kind, trackId, before }: LinesWanted): Sql {
  const parts = [empty]
  if (kind === 'group') parts.push(sql`and m.audience <> 'users'`)
  if (kind === 'personal') parts.push(sql`and m.audience = 'users'`)
  if (trackId !== undefined) parts.push(sql`and m.track_id = ${trackId}`)
  if (before !== undefined) parts.push(sql`and m.id < ${before}::uuid`)
  return join(parts, ' ')
}

/** By whatever the words may be. Each way ends at the limit by itself, so that none has to be read whole. */
function searched(ctx: Context, search: string, wanted: LinesWanted): Sql {
  const newest = sql`order by m.id desc limit ${wanted.limit}`
  if (isUuid(search)) return sql`${all(ctx, wanted)} and m.id = ${search}::uuid limit 1`
  const toUser = sql`
    ${messagesNaming({ appId: ctx.app.id, userId: search, before: wanted.before }, sql`m.id`, conditions(wanted))}
    limit ${wanted.limit}`
  const withWords = sql`
    select m.id from (
      select * from messages where app_id = ${ctx.app.id} and audience <> 'users' order by id desc limit ${searchedMessages}
    ) m
    where position(lower(${search}) in lower(concat_ws(' ', m.body ->> 'content', m.body ->> 'alertText',
      m.body #>> '{notification,title}', m.body #>> '{notification,body}', m.track_id))) > 0 ${conditions(wanted)} ${newest}`
  return sql`
    select id from (
      (${all(ctx, wanted)} and m.track_id = ${search} ${newest})
      union (${all(ctx, wanted)} and m.client_id = ${search} ${newest})
      union (${toUser})
      union (${withWords})
    ) either
    order by id desc limit ${wanted.limit}`
}
