import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { TimeAndName } from '#base/page-cursor.ts'
import type { EventData } from '../event.ts'

export interface EventOwner {
  userNo?: number | undefined
  installationNo?: number | undefined
}

export interface EventPage {
  from: Date | undefined
  to: Date | undefined
  before: TimeAndName | undefined
  limit: number
}

export interface ListedEvent {
  id: string
  user_id: string | null
  installation_id: string | null
  event_at: Date
  name: string
  data: EventData | null
  revenue: number | null
  currency: string | null
  influence_message_id: string | null
  influence_direct: boolean | null
}

export async function findEventOwner(ctx: Context, userId?: string, installationId?: string): Promise<EventOwner> {
  const [row] = await db(ctx).query<{ user_no: number | null; installation_no: number | null }>(
    sql`select
          (select user_no from users where app_id = ${ctx.app.id} and user_id = ${userId ?? null}) as user_no,
          (select installation_no from installations
           where app_id = ${ctx.app.id} and id = ${installationId ?? null}::uuid) as installation_no`,
    'find-event-owner',
  )
  return { userNo: row?.user_no ?? undefined, installationNo: row?.installation_no ?? undefined }
}

/** The names that an owner's events have. Without an owner those of the app, found by jumping from name to name. */
export async function readEventNames(ctx: Context, owner: EventOwner): Promise<string[]> {
  const owned = owner.userNo !== undefined || owner.installationNo !== undefined
  const rows = await db(ctx).query<{ name: string }>(
    owned
      ? sql`select distinct name from events e where ${ownedBy(ctx, owner)}`
      : sql`
          with recursive names(name) as (
            (select name from events where app_id = ${ctx.app.id} order by name limit 1)
            union all
            select (select e.name from events e where e.app_id = ${ctx.app.id} and e.name > n.name order by e.name limit 1)
            from names n where n.name is not null
          )
          select name from names where name is not null`,
  )
  return rows.map((row) => row.name)
}

/** The names of the app's events since a day, the most frequent first. */
export async function readNamesSince(ctx: Context, from: Date, limit: number): Promise<string[]> {
  const rows = await db(ctx).query<{ name: string }>(
    sql`select name from event_days where app_id = ${ctx.app.id} and day >= (${from}::timestamptz at time zone 'UTC')::date
        group by name order by sum(count) desc, name limit ${limit}`,
    'read-names-since',
  )
  return rows.map((row) => row.name)
}

/** One page. The names, when given, are looked up one by one: each has its newest events at the end of an index. */
export async function readEventPage(
  ctx: Context,
  owner: EventOwner,
  names: readonly string[] | undefined,
  page: EventPage,
): Promise<ListedEvent[]> {
  const isOwned = owner.userNo !== undefined || owner.installationNo !== undefined
  const within = sql`${ownedBy(ctx, owner)} ${during(page)}`
  const newest = sql`order by e.event_at desc, e.id desc limit ${page.limit}`
  const source =
    isOwned || !names
      ? sql`select e.* from events e where ${within} ${names ? sql`and e.name = any(${[...names]}::text[])` : empty} ${newest}`
      : sql`select e.* from unnest(${[...names]}::text[]) as n(name)
            cross join lateral (select * from events e where e.name = n.name and ${within} ${newest}) e ${newest}`
  return db(ctx).query<ListedEvent>(sql`
    select e.id, u.user_id, i.id as installation_id, e.event_at, e.name, e.data, e.revenue, e.currency,
      e.influence_message_id, e.influence_direct
    from (${source}) e
    left join users u on u.app_id = e.app_id and u.user_no = e.user_no
    left join installations i on i.app_id = e.app_id and i.installation_no = e.installation_no
    order by e.event_at desc, e.id desc`)
}

function ownedBy(ctx: Context, { userNo, installationNo }: EventOwner): Sql {
  const conditions = [sql`e.app_id = ${ctx.app.id}`]
  if (userNo !== undefined) conditions.push(sql`e.user_no = ${userNo}`)
  if (installationNo !== undefined) conditions.push(sql`e.installation_no = ${installationNo}`)
  return join(conditions, ' and ')
}

function during({ from, to, before }: EventPage): Sql {
  const conditions = [empty]
  if (from) conditions.push(sql`and e.event_at >= ${from}`)
  if (to) conditions.push(sql`and e.event_at < ${to}`)
  if (before) conditions.push(sql`and (e.event_at, e.id) < (${new Date(before.time)}, ${before.name}::uuid)`)
  return join(conditions, ' ')
}
