import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'

export interface PersonRow {
  user_no: number
  user_id: string
  installation_no: number
  installation_id: string
  device_type: string
}

const columns = sql`i.user_no, u.user_id, i.installation_no, i.id as installation_id, i.device_type`

/** The installation that this user visited last, or one of chance whose user has attributes. */
export async function findPerson(ctx: Context, userId: string | undefined): Promise<PersonRow | undefined> {
  return userId === undefined ? findAny(ctx) : findNamed(ctx, userId)
}

async function findNamed(ctx: Context, userId: string): Promise<PersonRow | undefined> {
  const [row] = await db(ctx).query<PersonRow>(sql`
    select ${columns} from users u join installations i on i.app_id = u.app_id and i.user_no = u.user_no
    where u.app_id = ${ctx.app.id} and u.user_id = ${userId}
    order by i.uninstalled_at is null desc, i.launched_at desc limit 1`)
  return row
}

const neighbours = 20

/** Starts anywhere in the row of installations and takes the best described of the next few. */
async function findAny(ctx: Context): Promise<PersonRow | undefined> {
  const appId = ctx.app.id
  const from = sql`(
    select min(installation_no) + floor(random() * (max(installation_no) - min(installation_no) + 1))
    from installations where app_id = ${appId})::bigint`
  const near = (condition: typeof from) => sql`
    (select * from installations where app_id = ${appId} and uninstalled_at is null and installation_no ${condition})`
  const [row] = await db(ctx).query<PersonRow>(sql`
    with start as materialized (select ${from} as installation_no)
    select ${columns}
    from (
      ${near(sql`>= (select installation_no from start) order by installation_no limit ${neighbours}`)}
      union all
      ${near(sql`< (select installation_no from start) order by installation_no desc limit ${neighbours}`)}
    ) i
    join users u on u.app_id = ${appId} and u.user_no = i.user_no
    cross join lateral (
      select count(*) as count from user_attributes a where a.app_id = ${appId} and a.user_no = i.user_no
    ) described
    order by i.is_guest, described.count desc, random() limit 1`)
  return row
}
