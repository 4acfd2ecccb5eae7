import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** Numbers of installations by id, in the order of the ids; by user, the newest login first. */
export async function findInstallationNumbers(
  ctx: Context,
  filter: { ids: readonly string[] | undefined; userIds: readonly string[] | undefined; limit: number },
): Promise<number[]> {
  const ids = filter.ids && [...filter.ids]
  const userIds = filter.userIds && [...filter.userIds]
  const byId = sql`i.id = any(${ids}::uuid[])`
  const byUser = sql`i.user_no in (select u.user_no from users u where u.app_id = ${ctx.app.id} and u.user_id = any(${userIds}::text[]))`
  const matches = ids && userIds ? sql`${byId} and ${byUser}` : ids ? byId : byUser
  const rows = await db(ctx).query<{ installation_no: number }>(sql`
    select i.installation_no from installations i
    where i.app_id = ${ctx.app.id} and ${matches}
    order by array_position(${ids ?? []}::uuid[], i.id), i.logged_in_at desc, i.installation_no desc
    limit ${filter.limit}`)
  return rows.map((row) => row.installation_no)
}
