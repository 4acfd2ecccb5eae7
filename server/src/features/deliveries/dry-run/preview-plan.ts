import type { HourCount } from '@peyk/contract'
import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import type { Transaction } from '../../../base/store/store.ts'
import { getAppZone } from '../../accounts/apps/get-app-zone.ts'
import type { When } from '../../messages/schedule/read-when.ts'
import { readUserClocks } from '../local-time/user-clocks.ts'

/** When how many installations of a message that goes later would get it. */
export interface Plan {
  hours: HourCount[]
  /** Those who are left out because their time has passed, and the statement that finds the others. */
  skipped: number
  going: Sql
}

interface Planned {
  /** As in preview-audience.ts; of these, those of the position. */
  found: Sql
  position: number
  count: number
}

const HOUR = 3_600_000
const mostHours = 100

export async function readPlan(
  ctx: Context & { tx: Transaction },
  { found, position, count }: Planned,
  { dueAt, localTime }: When,
): Promise<Plan> {
  if (!localTime) {
    const at = Math.floor(dueAt.getTime() / HOUR) * HOUR
    return { hours: count > 0 ? [{ at, count }] : [], skipped: 0, going: found }
  }
  const own = sql`select * from (${found}) f where f.position = ${position}`
  const zone = localTime.zone ?? (await getAppZone(ctx.tx, ctx.app.id))
  const users = sql`select distinct user_no from (${own}) u where u.is_member`
  const clocks = await readUserClocks(ctx.tx, ctx.app.id, users, { localTime: { ...localTime, zone }, dueAt })
  const timed = sql`
    select f.*, case when c.user_no is null then ${clocks.otherwise}::timestamptz else c.at end as at
    from (${own}) f left join (${clocks.known}) c on c.user_no = f.user_no`
  const rows = await ctx.tx.query<{ at: Date | null; count: number }>(sql`
    select date_trunc('hour', at, 'UTC') as at, count(*) as count from (${timed}) t where is_member
    group by 1 order by 1 limit ${mostHours}`)
  return {
    hours: rows.flatMap((row) => (row.at ? [{ at: row.at.getTime(), count: row.count }] : [])),
    skipped: rows.find((row) => row.at === null)?.count ?? 0,
    going: sql`
      select position, installation_no, user_no, device_type, is_member, is_withheld from (${timed}) t
      where not is_member or at is not null`,
  }
}
