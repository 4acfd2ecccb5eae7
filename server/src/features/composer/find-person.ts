import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type Receivers, readAudience } from './read-audience.ts'

export interface PersonRow {
  user_no: number
  user_id: string
  installation_no: number
  installation_id: string
  device_type: string
  language: string | null
}

const columns = sql`i.user_no, u.user_id, i.installation_no, i.id as installation_id, i.device_type, i.language`

/** The installation that this user visited last. */
export async function findPerson(ctx: Context, userId: string): Promise<PersonRow | undefined> {
  const [row] = await db(ctx).query<PersonRow>(sql`
    select ${columns} from users u join installations i on i.app_id = u.app_id and i.user_no = u.user_no
    where u.app_id = ${ctx.app.id} and u.user_id = ${userId}
    order by i.uninstalled_at is null desc, i.launched_at desc limit 1`)
  return row
}

/** One of chance of those who would receive a message. */
export async function findRecipient(ctx: Context, receivers: Receivers): Promise<PersonRow | undefined> {
  const { userIds, condition } = await readAudience(ctx, receivers)
  return userIds ? findAmong(ctx, userIds, condition) : findAny(ctx, condition)
}

async function findAmong(ctx: Context, userIds: readonly string[], condition: Sql): Promise<PersonRow | undefined> {
  const [row] = await db(ctx).query<PersonRow>(sql`
    select ${columns} from users u join installations i on i.app_id = u.app_id and i.user_no = u.user_no
    where u.app_id = ${ctx.app.id} and u.user_id = any(${userIds}::text[]) and ${condition}
    order by random() limit 1`)
  return row
}

const neighbours = 20

/** Starts anywhere in the row of installations `i` and takes the best described of the next few. */
export async function findAny(ctx: Context, condition?: Sql): Promise<PersonRow | undefined> {
  const appId = ctx.app.id
  const meant = condition ?? sql`i.app_id = ${appId} and i.uninstalled_at is null`
  const from = sql`(
    select min(installation_no) + floor(random() * (max(installation_no) - min(installation_no) + 1))
    from installations where app_id = ${appId})::bigint`
  const near = (place: Sql) => sql`(select i.* from installations i where ${meant} and i.installation_no ${place})`
  const [row] = await db(ctx).query<PersonRow>(sql`
    with start as materialized (select ${from} as installation_no)
    select ${columns}
    from (
      ${near(sql`>= (select installation_no from start) order by i.installation_no limit ${neighbours}`)}
      union all
      ${near(sql`< (select installation_no from start) order by i.installation_no desc limit ${neighbours}`)}
    ) i
    join users u on u.app_id = ${appId} and u.user_no = i.user_no
    cross join lateral (
      select count(*) as count from user_attributes a where a.app_id = ${appId} and a.user_no = i.user_no
    ) described
    order by i.is_guest, described.count desc, random() limit 1`)
  return row
}
