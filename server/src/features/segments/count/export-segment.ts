import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { compileAudience } from '../compile/compile-audience.ts'
import { getSegment } from '../saved/get-segment.ts'

type Cell = string | number | null

const reach = 20_000
const header = [
  'userId',
  'isGuest',
  'installationId',
  'deviceType',
  'clientVersion',
  'osVersion',
  'language',
  'timeZone',
  'installedAt',
  'lastVisitAt',
  'visits',
]

/** Everybody in a saved segment, read a range of installations at a time while it is written. */
export async function exportSegment(ctx: Context, input: { id: string }) {
  const saved = await getSegment(ctx, input)
  const condition = await compileAudience(ctx, { segment: saved.segment }, ctx.now(), { wasAccepted: true })
  return { name: saved.name, fileName: `${saved.name}.csv`, header, rows: readRows(ctx, condition) }
}

async function* readRows(ctx: Context, condition: Sql): AsyncGenerator<readonly Cell[]> {
  const [range] = await db(ctx).query<{ first: number | null; last: number | null }>(
    sql`select min(installation_no) as first, max(installation_no) as last from installations where app_id = ${ctx.app.id}`,
  )
  if (!range || range.first === null || range.last === null) return
  for (let after = range.first - 1; after < range.last; after += reach) {
    const rows = await db(ctx).query<Record<string, Cell>>(sql`
      select u.user_id, u.is_guest::text, i.id, i.device_type, i.client_version, i.os_version, i.language, i.time_zone,
        ${isoTime(sql`i.installed_at`)} as installed_at, ${isoTime(sql`i.launched_at`)} as launched_at, i.launch_count
      from installations i join users u on u.app_id = i.app_id and u.user_no = i.user_no
      where ${condition} and i.installation_no > ${after} and i.installation_no <= ${after + reach}
      order by i.installation_no`)
    for (const row of rows) yield Object.values(row)
  }
}

function isoTime(column: Sql): Sql {
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`
}
