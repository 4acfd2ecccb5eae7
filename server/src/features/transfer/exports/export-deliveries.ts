import type { exportDeliveries as endpoint, QueryOf, StreamLine } from '@peyk/contract'
import { type Cell, RowFile } from '#base/answers/row-file.ts'
import type { Context } from '#base/context.ts'
import { listDeliveries } from '../../deliveries/read/list-deliveries.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { readDeliveries } from '../stream/read-deliveries.ts'
import { inTurn } from './in-turn.ts'
import { readBounds, readPeriod } from './read-period.ts'

type DeliveryFields = Omit<Extract<StreamLine, { type: 'delivery' }>, 'type' | 'time' | 'cursor'>

const rowsPerRead = 1_000

/** Those of one message, or of a period. */
export async function exportDeliveries(ctx: Context, input: QueryOf<typeof endpoint>): Promise<RowFile> {
  const { messageId } = input
  if (messageId !== undefined) await getMessageRow(ctx, messageId)
  const bounds = readBounds(input)
  return new RowFile({
    baseName: messageId === undefined ? `deliveries-${ctx.app.label}` : `deliveries-${messageId}`,
    format: input.format ?? 'csv',
    columns: {
      time: 'time',
      messageId: 'text',
      installationId: 'text',
      userId: 'text',
      state: 'text',
      reason: 'text',
      provider: 'text',
      detail: 'text',
      language: 'text',
      variant: 'text',
      sentAt: 'time',
    },
    rows: inTurn(ctx, messageId === undefined ? readAll(ctx, bounds) : readMessage(ctx, messageId, bounds)),
  })
}

async function* readAll(ctx: Context, bounds: { from: number; to: number }): AsyncGenerator<readonly Cell[]> {
  for await (const { us, fields } of readPeriod(ctx, readDeliveries, bounds)) {
    yield rowOf(us / 1000, fields as DeliveryFields)
  }
}

async function* readMessage(
  ctx: Context,
  messageId: string,
  { from, to }: { from: number; to: number },
): AsyncGenerator<readonly Cell[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await listDeliveries(ctx, {
      id: messageId,
      limit: rowsPerRead,
      ...(cursor !== undefined && { cursor }),
    })
    for (const { updatedAt, ...delivery } of page.data) {
      if (updatedAt * 1000 >= from && updatedAt * 1000 < to) yield rowOf(updatedAt, { messageId, ...delivery })
    }
    if (page.cursor === undefined) return
    cursor = page.cursor
  }
}

function rowOf(time: number, delivery: DeliveryFields): readonly Cell[] {
  return [
    new Date(Math.floor(time)).toISOString(),
    delivery.messageId,
    delivery.installationId ?? null,
    delivery.userId ?? null,
    delivery.state,
    delivery.reason ?? null,
    delivery.provider ?? null,
    delivery.detail ?? null,
    delivery.language ?? null,
    delivery.variant ?? null,
    delivery.sentAt === undefined ? null : new Date(delivery.sentAt).toISOString(),
  ]
}
