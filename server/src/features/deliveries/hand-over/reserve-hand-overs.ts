import type { Cap } from '@peyk/contract'
import type { Store, Transaction } from '../../../base/store/store.ts'
import { type CapState, countsFor, decideCap, free, keepCounted, type Use } from './cap.ts'
import { findUnreached, lockUses, writeUses } from './hand-over-store.ts'

interface ToReserve {
  appId: number
  messageId: string
  category: string
  caps: readonly Cap[]
  userNos: readonly number[]
  at: Date
}

/**
 * Counts a message against the caps of those users who may still have it, and says for each how that stands. It is
 * committed before anything is handed over: whoever takes the work of a process that died finds it counted.
 */
export async function reserveHandOvers(store: Store, reserve: ToReserve): Promise<Map<number, CapState>> {
  const { appId, messageId, category, at } = reserve
  const caps = reserve.caps.filter((cap) => countsFor(cap, category))
  const userNos = [...new Set(reserve.userNos)]
  if (caps.length === 0 || userNos.length === 0) return new Map()
  const atMs = at.getTime()
  return store.transaction(async (tx) => {
    const uses = await lockUses(tx, { appId, userNos })
    const states = new Map(
      userNos.map((no) => [no, decideCap(uses.get(no) ?? [], caps, { messageId, category, atMs })]),
    )
    const written = [...uses].filter(([userNo]) => states.get(userNo) === free)
    await writeUses(
      tx,
      appId,
      new Map(
        written.map(([userNo, own]): [number, Use[]] => [
          userNo,
          [...keepCounted(own, reserve.caps, atMs), { messageId, category, atMs }],
        ]),
      ),
    )
    return states
  })
}

/** In the transaction that ends deliveries: where nobody was reached it counts no longer. */
export async function giveHandOversBack(
  tx: Transaction,
  message: { appId: number; messageId: string; installationNos: readonly number[] },
): Promise<void> {
  const { appId, messageId } = message
  const userNos = await findUnreached(tx, message)
  if (userNos.length === 0) return
  const uses = await lockUses(tx, { appId, userNos })
  const counted = [...uses].filter(([, own]) => own.some((use) => use.messageId === messageId))
  await writeUses(
    tx,
    appId,
    new Map(counted.map(([userNo, own]) => [userNo, own.filter((use) => use.messageId !== messageId)])),
  )
}
