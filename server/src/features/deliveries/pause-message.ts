import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { markPaused } from '../messages/mark-paused.ts'

/** Stops handing a message over, until it is resumed. Batches that are being sent are put back by their holder. */
export async function pauseMessage(ctx: Context, { id }: { id: string }): Promise<{ id: string; paused: true }> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = await getMessageRow(inner, id)
    await markPaused(inner, { id: message.id, isPaused: true })
    await tx.query(sql`
      update delivery_batches set state = 'paused'
      where app_id = ${ctx.app.id} and message_id = ${message.id} and state = 'queued'
        and (lease_holder is null or available_at < now())`)
    return { id: message.id, paused: true as const }
  })
}
