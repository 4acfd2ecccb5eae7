import type { FoundUser } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { recentByIndex } from '../../segments/index/ask-index.ts'

const shownTags = 5

/** Several installations of one user are looked at as one. */
const installationsPerUser = 3

/** PostgreSQL has no index by the last visit, which changes with every visit: it would look at all installations. */
export async function findRecent(ctx: Context, limit: number): Promise<number[]> {
  const numbers = await recentByIndex(ctx)
  const among = numbers ? sql`installation_no = any(${numbers}::bigint[])` : sql`true`
  return listNumbers(
    ctx,
    sql`select user_no from (
          select user_no, launched_at from installations
          where app_id = ${ctx.app.id} and uninstalled_at is null and ${among}
          order by launched_at desc limit ${limit * installationsPerUser}
        ) i group by user_no order by max(launched_at) desc limit ${limit}`,
  )
}

export function findByInstallation(ctx: Context, id: string): Promise<number[]> {
  return listNumbers(ctx, sql`select user_no from installations where app_id = ${ctx.app.id} and id = ${id}::uuid`)
}

export function findByUserId(ctx: Context, prefix: string, limit: number): Promise<number[]> {
  return listNumbers(
    ctx,
    sql`select user_no from users where app_id = ${ctx.app.id} and user_id ^@ ${prefix} order by user_id limit ${limit}`,
  )
}

export function findByTag(
  ctx: Context,
  { tag, key }: { tag: string; key?: { tag: string; value: string } },
  limit: number,
): Promise<number[]> {
  const withTag = (where: Sql) =>
    sql`(select t.user_no from user_tags t where t.app_id = ${ctx.app.id} and ${where} limit ${limit})`
  const whole = withTag(sql`t.tag = ${tag}`)
  if (!key) return listNumbers(ctx, whole)
  return listNumbers(ctx, sql`${whole} union all ${withTag(sql`t.tag = ${key.tag} and t.value = ${key.value}`)}`)
}

async function listNumbers(ctx: Context, statement: Sql): Promise<number[]> {
  const rows = await db(ctx).query<{ user_no: number }>(statement)
  return rows.map((row) => row.user_no)
}

interface Row {
  user_no: number
  user_id: string
  is_guest: boolean
  created_at: Date
  installations: number
  device_types: string[]
  last_visit_at: Date | null
  tags: { tag: string; value?: string }[]
}

/** In the order in which they were found. */
export async function describeUsers(
  ctx: Context,
  found: ReadonlyMap<number, FoundUser['foundBy']>,
): Promise<FoundUser[]> {
  const numbers = [...found.keys()]
  const rows = await db(ctx).query<Row>(sql`
    select u.user_no, u.user_id, u.is_guest, u.created_at, i.installations, i.device_types, i.last_visit_at, t.tags
    from unnest(${numbers}::bigint[]) with ordinality as k(user_no, place)
    join users u on u.app_id = ${ctx.app.id} and u.user_no = k.user_no
    cross join lateral (
      select count(*) filter (where uninstalled_at is null) as installations, max(launched_at) as last_visit_at,
        coalesce(array_agg(distinct device_type) filter (where uninstalled_at is null), '{}') as device_types
      from installations i where i.app_id = u.app_id and i.user_no = u.user_no) i
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('tag', tag, 'value', value)) order by tag), '[]') as tags
      from (select tag, value from user_tags t where t.app_id = u.app_id and t.user_no = u.user_no order by tag limit ${shownTags}) t) t
    order by k.place`)
  return rows.map((row) => ({
    userId: row.user_id,
    isGuest: row.is_guest,
    createdAt: row.created_at.getTime(),
    ...(row.last_visit_at && { lastVisitAt: row.last_visit_at.getTime() }),
    deviceTypes: row.device_types,
    installations: row.installations,
    tags: row.tags,
    foundBy: found.get(row.user_no) as FoundUser['foundBy'],
  }))
}
