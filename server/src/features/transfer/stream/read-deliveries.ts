import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { type DetailColumns, describeDetail, readDetail } from '../../deliveries/details/detail.ts'
import { decidedFor } from '../../deliveries/other-user/decided-for.ts'
import type { FoundLine } from './found-line.ts'
import { type Range, timeText } from './place.ts'

interface Row extends DetailColumns {
  us: number
  message_id: string
  installation_no: number
  installation_id: string | null
  user_id: string | null
  state: string
  reason: string | null
  provider: string | null
  language: string | null
  variant: string | null
  sent_at: Date | null
}

/** By when they changed last. */
export async function readDeliveries(
  ctx: Context,
  { from, afterKey, until }: Range,
  limit: number,
): Promise<FoundLine[]> {
  const [messageId, installationNo] = afterKey?.split(' ') ?? []
  const rows = await db(ctx).query<Row>(sql`
    select (extract(epoch from d.updated_at) * 1000000)::bigint as us, d.message_id, d.installation_no, i.id as installation_id,
      u.user_id, d.state, d.reason, d.provider, d.detail, d.detail_code, d.detail_provider, d.language, d.variant, d.sent_at
    from (
      select * from deliveries
      where app_id = ${ctx.app.id} and updated_at >= ${timeText(from)}::timestamptz and updated_at < ${timeText(until)}::timestamptz
        ${messageId === undefined ? empty : sql`and (updated_at, message_id, installation_no) > (${timeText(from)}::timestamptz, ${messageId}::uuid, ${installationNo}::bigint)`}
      order by updated_at, message_id, installation_no limit ${limit}
    ) d
    left join installations i on i.app_id = d.app_id and i.installation_no = d.installation_no
    left join messages m on m.app_id = d.app_id and m.id = d.message_id
    left join users u on u.app_id = d.app_id and u.user_no = ${decidedFor}
    order by d.updated_at, d.message_id, d.installation_no`)
  return rows.map((row) => {
    const detail = describeDetail(readDetail(row))
    return {
      us: row.us,
      key: `${row.message_id} ${row.installation_no}`,
      fields: {
        messageId: row.message_id,
        ...(row.installation_id !== null && { installationId: row.installation_id }),
        ...(row.user_id !== null && { userId: row.user_id }),
        state: row.state,
        ...(row.reason !== null && { reason: row.reason }),
        ...(row.provider !== null && { provider: row.provider }),
        ...(detail !== undefined && { detail }),
        ...(row.language !== null && { language: row.language }),
        ...(row.variant !== null && { variant: row.variant }),
        ...(row.sent_at !== null && { sentAt: row.sent_at.getTime() }),
      },
    }
  })
}
