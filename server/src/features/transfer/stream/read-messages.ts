import sql, { empty, raw } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { FoundLine, ReadLines } from './found-line.ts'
import { type Range, timeText } from './place.ts'

interface Row {
  us: number
  id: string
  product: string
  audience: string
  channel: string
  track_id: string | null
  client_id: string | null
  recipients: number
  expires_at: Date
}

/** Messages by a time that they have. */
export function readMessagesBy(column: 'accepted_at' | 'finished_at' | 'cancelled_at' | 'recalled_at'): ReadLines {
  const at = raw(column)
  return async (ctx: Context, { from, afterKey, until }: Range, limit: number): Promise<FoundLine[]> => {
    const rows = await db(ctx).query<Row>(sql`
      select (extract(epoch from ${at}) * 1000000)::bigint as us, id, product, audience, channel, track_id, client_id, recipients, expires_at
      from messages
      where app_id = ${ctx.app.id} and ${at} >= ${timeText(from)}::timestamptz and ${at} < ${timeText(until)}::timestamptz
        ${afterKey === undefined ? empty : sql`and (${at}, id) > (${timeText(from)}::timestamptz, ${afterKey}::uuid)`}
      order by ${at}, id limit ${limit}`)
    return rows.map((row) => ({
      us: row.us,
      key: row.id,
      fields: {
        messageId: row.id,
        product: row.product,
        audience: row.audience,
        channel: row.channel,
        ...(row.track_id !== null && { trackId: row.track_id }),
        ...(row.client_id !== null && { clientId: row.client_id }),
        count: row.recipients,
        expireAt: row.expires_at.getTime(),
      },
    }))
  }
}
