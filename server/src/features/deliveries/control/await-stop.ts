import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'

export const lookEveryMs = 50
/** Whoever sends sees a pause or a cancel within a second. A process that died is not waited for. */
export const stopPatience = { ms: 3_000 }

/**
 * Waits until all processes that send a message have noticed that it was paused or cancelled: what they hold of it then
 * is with a provider. `again` stops what has come to the work-list meanwhile.
 */
export async function awaitStop(
  ctx: Pick<Context, 'app' | 'store'>,
  messageId: string,
  again: () => Promise<void>,
): Promise<void> {
  const deadlineMs = performance.now() + stopPatience.ms
  while ((await isSent(ctx, messageId)) && performance.now() < deadlineMs) {
    await delay(lookEveryMs)
    await again()
  }
}

async function isSent({ app, store }: Pick<Context, 'app' | 'store'>, messageId: string): Promise<boolean> {
  const rows = await store.query(
    sql`select from delivery_batches
        where app_id = ${app.id} and message_id = ${messageId} and state = 'queued' and stopped_at is null limit 1`,
    'is-sent',
  )
  return rows.length > 0
}
