import type { AnswerOf, deliveries, QueryOf } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import { readNumberCursor } from '#base/page-cursor.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { describeDetail, readDetail } from '../details/detail.ts'
import { type DeliveryRow, listDeliveryRows } from './delivery-rows.ts'

const defaultLimit = 100

/** [sending.md#states-of-a-delivery] */
export async function listDeliveries(
  ctx: Context,
  input: QueryOf<typeof deliveries> & { id: string },
): Promise<AnswerOf<typeof deliveries>> {
  const { id, cursor, limit = defaultLimit, ...filter } = input
  const after = readNumberCursor(cursor) ?? 0
  const message = await getMessageRow(ctx, id)
  const rows = await listDeliveryRows(ctx, message, filter, { after, limit: limit + 1 })
  const last = rows[limit - 1]
  return {
    data: rows.slice(0, limit).map(deliveryAnswer),
    ...(rows.length > limit && last && { cursor: String(last.installation_no) }),
  }
}

function deliveryAnswer(row: DeliveryRow): AnswerOf<typeof deliveries>['data'][number] {
  const { detail: _words, ...coded } = readDetail(row)
  const detail = describeDetail(readDetail(row))
  return {
    ...(row.installation_id !== null && { installationId: row.installation_id }),
    ...(row.user_id !== null && { userId: row.user_id }),
    ...(row.device_type !== null && { deviceType: row.device_type }),
    state: row.state,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.provider !== null && { provider: row.provider }),
    ...(row.language !== null && { language: row.language }),
    ...(row.variant !== null && { variant: row.variant }),
    ...(detail !== undefined && { detail }),
    ...coded,
    ...(row.sent_at !== null && { sentAt: row.sent_at.getTime() }),
    updatedAt: row.updated_at.getTime(),
  }
}
