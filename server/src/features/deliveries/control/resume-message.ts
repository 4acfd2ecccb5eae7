import sql from 'sql-template-tag'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { getMessageRow } from '../../messages/stored/get-message-row.ts'
import { markPaused } from '../../messages/stored/mark-paused.ts'
import { delayFallbacksOfMessage } from '../fallback/fallback-store.ts'

/** Goes on where it was paused; an SMS waits for the rest of its delay. */
export async function resumeMessage(ctx: Context, { id }: { id: string }): Promise<{ id: string; paused: false }> {
  const resumed = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const message = await getMessageRow(inner, id)
    const pausedAt = await markPaused(inner, { id: message.id, isPaused: false })
    if (pausedAt) await delayFallbacksOfMessage(tx, { appId: ctx.app.id, messageId: message.id }, pausedAt)
    await tx.query(sql`
      update delivery_batches
      set state = 'queued', lease_holder = null, stopped_at = null, was_unclear = was_unclear or lease_holder is not null
      where app_id = ${ctx.app.id} and message_id = ${message.id} and state = 'paused'`)
    await tx.query(sql`
      update delivery_batches set stopped_at = null
      where app_id = ${ctx.app.id} and message_id = ${message.id} and stopped_at is not null`)
    return { id: message.id, paused: false as const }
  })
  announceWork(ctx.store)
  return resumed
}
