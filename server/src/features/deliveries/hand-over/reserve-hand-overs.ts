import type { Cap } from '@peyk/contract'
import type { Store, Transaction } from '../../../base/store/store.ts'
import { type CapState, countsFor, decideCap, free, keepCounted, type Use } from './cap.ts'
import { findUnreached, lockUses, writeUses } from './hand-over-store.ts'

interface ToReserve {
  appId: number
  caps: readonly Cap[]
  at: Date
  /** Messages in the order in which they have their turn. */
  wanted: readonly { messageId: string; category: string; userNos: readonly number[] }[]
}

/**
 * Counts messages against the caps of those users who may still have them, and says for each message how that stands by
 * user. It is committed before anything is handed over: whoever takes the work of a process that died finds it counted.
 */
export async function reserveHandOvers(
  store: Store,
  { appId, caps, at, wanted }: ToReserve,
): Promise<ReadonlyMap<number, CapState>[]> {
  const counting = wanted.filter(({ category }) => caps.some((cap) => countsFor(cap, category)))
  const userNos = [...new Set(counting.flatMap((each) => each.userNos))]
  if (userNos.length === 0) return []
  const atMs = at.getTime()
  return store.transaction(async (tx) => {
    const uses = await lockUses(tx, { appId, userNos })
    const changed = new Map<number, Use[]>()
    const reserve = (use: Use, userNo: number): CapState => {
      const own = changed.get(userNo) ?? uses.get(userNo)
      const state = own ? decideCap(own, caps, use) : free
      if (own && state === free) changed.set(userNo, [...keepCounted(own, caps, atMs), use])
      return state
    }
    const states = wanted.map((each) => {
      const { messageId, category } = each
      const isCounted = counting.includes(each)
      return new Map(
        each.userNos.map((userNo) => [userNo, isCounted ? reserve({ messageId, category, atMs }, userNo) : free]),
      )
    })
    await writeUses(tx, appId, changed)
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
