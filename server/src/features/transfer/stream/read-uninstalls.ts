import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { FoundLine } from './found-line.ts'
import { type Range, timeText } from './place.ts'

interface Row {
  us: number
  uninstall_no: number
  installation_id: string
  user_id: string
  device_type: string
  is_churn: boolean
}

export async function readUninstalls(
  ctx: Context,
  { from, afterKey, until }: Range,
  limit: number,
): Promise<FoundLine[]> {
  const rows = await db(ctx).query<Row>(sql`
    select (extract(epoch from uninstalled_at) * 1000000)::bigint as us, uninstall_no, installation_id, user_id, device_type, is_churn
    from uninstalls
    where app_id = ${ctx.app.id} and uninstalled_at >= ${timeText(from)}::timestamptz and uninstalled_at < ${timeText(until)}::timestamptz
      ${afterKey === undefined ? empty : sql`and (uninstalled_at, uninstall_no) > (${timeText(from)}::timestamptz, ${afterKey}::bigint)`}
    order by uninstalled_at, uninstall_no limit ${limit}`)
  return rows.map((row) => ({
    us: row.us,
    key: String(row.uninstall_no),
    fields: {
      installationId: row.installation_id,
      userId: row.user_id,
      deviceType: row.device_type,
      isChurn: row.is_churn,
    },
  }))
}
