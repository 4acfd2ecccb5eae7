import type * as contract from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { readReportMoment } from '#base/read-moment.ts'

export interface UninstallQuestion {
  from: string
  to: string
  limit?: number | undefined
  offset?: number | undefined
  type?: 'churn' | 'uninstall' | undefined
}

export type UninstallReport = contract.AnswerOf<typeof contract.uninstallReport>

/** [users-and-events.md#uninstall-report] The newest first; both ends belong to the time asked for. */
export async function reportUninstalls(ctx: Context, input: UninstallQuestion): Promise<UninstallReport> {
  const ends = [readReportMoment('from', input.from), readReportMoment('to', input.to)].sort(
    (a, b) => Number(a) - Number(b),
  )
  const matches = sql`
    from uninstalls
    where app_id = ${ctx.app.id} and uninstalled_at between ${ends[0]} and ${ends[1]}
      and (is_churn or not ${input.type === 'churn'}::boolean)`
  const [total] = await db(ctx).query<{ count: number }>(sql`select count(*) ${matches}`)
  const rows = await db(ctx).query<{
    uninstalled_at: Date
    installation_id: string
    device_type: string
    user_id: string
  }>(sql`
    select uninstalled_at, installation_id, device_type, user_id ${matches}
    order by uninstalled_at desc, uninstall_no desc limit ${input.limit ?? 25} offset ${input.offset ?? 0}`)
  return {
    count: total?.count ?? 0,
    data: rows.map((row) => ({
      time: row.uninstalled_at.toISOString(),
      installationId: row.installation_id,
      deviceType: row.device_type,
      userId: row.user_id,
    })),
  }
}
