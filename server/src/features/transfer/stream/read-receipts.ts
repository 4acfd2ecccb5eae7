import sql, { empty } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { FoundLine } from './found-line.ts'
import { type Range, timeText } from './place.ts'

interface Row {
  us: number
  message_id: string
  installation_no: number
  installation_id: string | null
  user_id: string | null
  kind: string
  action_id: string
  happened_at: Date
}

/** By when they came. */
export async function readReceipts(
  ctx: Context,
  { from, afterKey, until }: Range,
  limit: number,
): Promise<FoundLine[]> {
  const [, messageId, installationNo, kind, actionId] = /^(\S+) (\S+) (\S+) (.*)$/s.exec(afterKey ?? '') ?? []
  const rows = await db(ctx).query<Row>(sql`
    select (extract(epoch from r.received_at) * 1000000)::bigint as us, r.message_id, r.installation_no, i.id as installation_id,
      u.user_id, r.kind, r.action_id, r.happened_at
    from (
      select * from receipts
      where app_id = ${ctx.app.id} and received_at >= ${timeText(from)}::timestamptz and received_at < ${timeText(until)}::timestamptz
        ${
          messageId === undefined
            ? empty
            : sql`and (received_at, message_id, installation_no, kind collate "C", action_id)
                  > (${timeText(from)}::timestamptz, ${messageId}::uuid, ${installationNo}::bigint, ${kind}::text, ${actionId}::text)`
        }
      order by received_at, message_id, installation_no, kind collate "C", action_id limit ${limit}
    ) r
    left join installations i on i.app_id = r.app_id and i.installation_no = r.installation_no
    left join users u on u.app_id = r.app_id and u.user_no = i.user_no
    order by r.received_at, r.message_id, r.installation_no, r.kind collate "C", r.action_id`)
  return rows.map((row) => ({
    us: row.us,
    key: `${row.message_id} ${row.installation_no} ${row.kind} ${row.action_id}`,
    fields: {
      messageId: row.message_id,
      ...(row.installation_id !== null && { installationId: row.installation_id }),
      ...(row.user_id !== null && { userId: row.user_id }),
      kind: row.kind,
      ...(row.action_id !== '' && { actionId: row.action_id }),
      happenedAt: row.happened_at.getTime(),
    },
  }))
}
