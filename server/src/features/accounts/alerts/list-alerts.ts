import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type Alert, type AlertRow, readAlert } from './alert.ts'

const maxAlerts = 500

/** Newest first; those that were cleared only when they are asked for. */
export async function listAlerts(
  ctx: Pick<Context, 'app' | 'store' | 'tx'>,
  { cleared = false }: { cleared?: boolean } = {},
): Promise<Alert[]> {
  const rows = await db(ctx).query<AlertRow>(sql`
    select alert_id, kind, subject, text, details, raised_at, cleared_at from alerts
    where app_id = ${ctx.app.id} and (${cleared} or cleared_at is null)
    order by raised_at desc, alert_id desc limit ${maxAlerts}`)
  return rows.map(readAlert)
}
