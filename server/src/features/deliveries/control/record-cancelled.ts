import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { advanceDeliveries } from '../progress/advance-deliveries.ts'
import { countForgotten } from '../progress/count-forgotten.ts'
import { type CancelledPart, takeFromAudience, takeListed } from './cancelled-store.ts'

type Job = Pick<Context, 'store'> & { signal?: AbortSignal }

/**
 * Gives every recipient of a cancelled message a delivery, in several commits, so that the message's list, exports, and
 * the stream agree. The cancel itself only marks the batches, to be fast however many devices they list.
 */
export async function recordCancelled({ store, signal }: Job): Promise<void> {
  for (const take of [takeListed, takeFromAudience]) {
    for (let isMore = true; isMore && !signal?.aborted; ) {
      isMore = await store.transaction(async (tx) => {
        const parts = await take(tx)
        await record(tx, parts ?? [])
        return parts !== undefined
      })
    }
  }
}

async function record(tx: Transaction, parts: readonly CancelledPart[]): Promise<void> {
  const steps = parts.flatMap(({ appId, messageId, recipients, reason, provider, at, installationNos }) =>
    installationNos.map((installationNo) => ({
      ...{ appId, messageId, recipients, installationNo, state: 'ended' as const, reason, at },
      ...(provider !== undefined && { provider }),
    })),
  )
  const { moved, unmoved } = await advanceDeliveries(tx, steps)
  // Devices that were deleted with their user get no delivery, but were counted as recipients.
  const found = Map.groupBy([...moved, ...unmoved], ({ messageId }) => messageId)
  const byMessage = [...Map.groupBy(parts, ({ messageId }) => messageId).values()]
  await countForgotten(
    tx,
    byMessage.map((own) => {
      const { appId, messageId, at } = own[0] as CancelledPart
      const listed = new Set(own.flatMap((part) => part.installationNos)).size
      const deleted = own.reduce((sum, part) => sum + part.deleted, 0)
      return {
        appId,
        messageId,
        reason: 'cancelled',
        count: listed + deleted - (found.get(messageId)?.length ?? 0),
        at,
      }
    }),
  )
}
