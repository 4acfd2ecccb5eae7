import sql from 'sql-template-tag'
import { type Context, inTransaction } from '../../base/context.ts'
import { getMessageRow } from '../messages/get-message-row.ts'
import { markPaused } from '../messages/mark-paused.ts'
import { countWaiting } from './count-deliveries.ts'
import { readDeliveryGroups } from './delivery-groups.ts'

export interface Paused {
  id: string
  paused: true
  waiting: number
  inFlight: number
}

/**
 * Stops handing a message over, until it is resumed, and says how many wait now. What is being sent is put back by who
 * sends it, as far as no provider has it.
 */
export async function pauseMessage(ctx: Context, { id }: { id: string }): Promise<Paused> {
  return inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = await getMessageRow(inner, id)
    await markPaused(inner, { id: message.id, isPaused: true })
    await tx.query(sql`
      update delivery_batches set state = 'paused'
      where app_id = ${ctx.app.id} and message_id = ${message.id} and state = 'queued'
        and (lease_holder is null or available_at < now())`)
    const { rows, waiting } = await readDeliveryGroups(inner, message)
    const { queued, inFlight } = countWaiting(message.recipients, rows, waiting)
    return { id: message.id, paused: true as const, waiting: queued - inFlight, inFlight }
  })
}
