import type { Cap } from '@peyk/contract'
import type { Store, Transaction } from '#base/store/store.ts'
import { type CapState, countsFor, decideCap, free, keepCounted, type Use } from './cap.ts'
import { findUnreached } from './hand-over-store.ts'
import { type Count, countUses, lockUses, writeUses } from './uses-store.ts'

/** A message, and the users to whom it would go. */
export interface Wanted {
  messageId: string
  category: string
  userNos: readonly number[]
}

interface ToReserve {
  appId: number
  caps: readonly Cap[]
  at: Date
  /** In the order in which they have their turn. */
  wanted: readonly Wanted[]
}

/**
 * Counts messages against the caps of those users who may still have them, and says for each message how that stands by
 * user; who is not mentioned is free. It is committed before anything is handed over: whoever takes the work of a process
 * that died finds it counted.
 */
export async function reserveHandOvers(
  store: Store,
  { appId, caps, at, wanted }: ToReserve,
): Promise<ReadonlyMap<number, CapState>[]> {
  const isCounted = ({ category }: Wanted) => caps.some((cap) => countsFor(cap, category))
  const counts = countsOf(wanted.filter(isCounted))
  if (counts.length === 0) return []
  const atMs = at.getTime()
  return store.transaction(async (tx) => {
    const uses = await countUses(tx, { appId, caps, at }, counts)
    const changed = new Map<number, Use[]>()
    const reserve = (use: Use, userNo: number): CapState => {
      const own = changed.get(userNo) ?? uses.get(userNo)
      const state = own ? decideCap(own, caps, use) : free
      if (own && state === free) changed.set(userNo, inOrder([...keepCounted(own, caps, atMs), use]))
      return state
    }
    const states = wanted.map((each) => {
      const { messageId, category } = each
      const asked = isCounted(each) ? each.userNos.filter((userNo) => uses.get(userNo)) : []
      return new Map(asked.map((userNo) => [userNo, reserve({ messageId, category, atMs }, userNo)]))
    })
    await writeUses(tx, appId, changed)
    return states
  })
}

/** One for each user. */
function countsOf(wanted: readonly Wanted[]): Count[] {
  const counts = new Map<number, Count>()
  for (const { messageId, category, userNos } of wanted) {
    const use = { messageId, category }
    for (const userNo of userNos) counts.set(userNo, { userNo, use: counts.has(userNo) ? undefined : use })
  }
  return [...counts.values()]
}

/** The clocks of two processes are never quite the same. */
function inOrder(uses: readonly Use[]): Use[] {
  return uses.toSorted((one, other) => one.atMs - other.atMs)
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
