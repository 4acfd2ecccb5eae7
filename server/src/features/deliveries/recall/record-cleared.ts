import { defineBatch } from '#base/batch.ts'
import type { Context } from '#base/context.ts'
import { noteCleared } from './recall-store.ts'

interface Cleared {
  appId: number
  messageId: string
  installationNo: number
}

/** A client was told over its connection that a message was recalled. */
export async function recordCleared(ctx: Context, input: Omit<Cleared, 'appId'>): Promise<void> {
  await storeCleared(ctx, { ...input, appId: ctx.app.id })
}

const storeCleared = defineBatch<Cleared, { isStored: true }>({
  name: 'cleared messages',
  maxWeight: 1_000,
  flush: async (tx, cleared) => {
    const byMessage = Map.groupBy(cleared, ({ appId, messageId }) => `${appId}/${messageId}`)
    // In one order for all, so that two never wait for each other.
    for (const [, own] of [...byMessage].sort(([one], [other]) => (one < other ? -1 : 1))) {
      const { appId, messageId } = own[0] as Cleared
      await noteCleared(tx, { appId, messageId, installationNos: own.map(({ installationNo }) => installationNo) })
    }
    return cleared.map(() => ({ isStored: true }))
  },
})
