import type { ReceiverCount } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { isOpenNow } from '../installations/connections/is-connected-now.ts'

const shown = 20

/** `offset 0` as in find-receivers.ts. */
export async function countNamed(
  ctx: Context,
  userIds: readonly string[],
  { subscription, live }: { subscription: string | undefined; live: boolean },
): Promise<ReceiverCount> {
  const appId = ctx.app.id
  const isMember =
    subscription === undefined ? sql`true` : sql`(${subscription} = any (subscriptions) or ${subscription} = id::text)`
  const rows = await db(ctx).query<{ user_id: string; is_known: boolean; count: number }>(sql`
    select asked.user_id, u.user_no is not null as is_known, coalesce(i.count, 0)::int as count
    from unnest(${userIds}::text[]) with ordinality as asked(user_id, position)
    left join lateral (
      select user_no from users where app_id = ${appId} and user_id = asked.user_id offset 0
    ) u on true
    left join lateral (
      select count(*) as count from (
        select installation_no, uninstalled_at is null and ${isMember} as is_meant
        from installations where app_id = ${appId} and user_no = u.user_no offset 0
      ) own
      where own.is_meant ${live ? sql`and ${isOpenNow(sql`${appId}`, sql`own.installation_no`)}` : empty}
    ) i on true
    order by asked.position`)
  const some = (found: typeof rows) => ({
    count: found.length,
    first: found.slice(0, shown).map(({ user_id }) => user_id),
  })
  return {
    count: rows.reduce((sum, row) => sum + row.count, 0),
    users: rows.filter((row) => row.count > 0).length,
    unknown: some(rows.filter((row) => !row.is_known)),
    unreached: some(rows.filter((row) => row.is_known && row.count === 0)),
  }
}
