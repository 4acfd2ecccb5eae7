import type { Context } from '../../../base/context.ts'
import {
  abandonConnections,
  countOtherHolders,
  dropDeadHolders,
  forgetLeft,
  type LostConnection,
  listHeldConnections,
  renewHolder,
  restoreConnections,
} from './holders-store.ts'
import type { StoreContact } from './store-contact.ts'

export interface HeldConnection {
  appId: number
  installationNo: number
  connectionId: string
  isOpen: boolean
}

/**
 * To be called every few seconds by a process that holds connections: it lives, others that do not any more hold none,
 * and neither does it hold those that ended while the database was away. Answers which of its connections are still
 * the installations' own, who was connected to a process that is no more, how many other processes there are, and
 * whether this one is new to them. `isAlive` is asked about the id of a connection. A process counts as alive for
 * `aliveMs` after it said so, and longer as long as nobody who is steady has given it up.
 */
export async function holdConnections(
  ctx: Pick<Context, 'store'>,
  input: {
    holder: string
    aliveMs: number
    held: readonly HeldConnection[]
    isAlive: (connectionId: string) => boolean
    /** Without it, nobody is given up. */
    storeContact?: StoreContact
  },
): Promise<{ current: Set<string>; lost: LostConnection[]; others: number; isNew: boolean }> {
  const { holder, aliveMs, held, isAlive, storeContact } = input
  const isKnown = await renewHolder(ctx.store, holder, aliveMs)
  if (!isKnown && held.length > 0) await restoreConnections(ctx.store, holder, held)
  storeContact?.note(performance.now())
  const mayJudge = () => storeContact?.isSteady(performance.now()) ?? false
  const lost = await ctx.store.transaction((tx) => dropDeadHolders(tx, { holder, aliveMs, mayJudge }))
  await forgetLeft(ctx.store)
  // Given up in between, it gets its connections back the next time: none has been taken over.
  const ids = (await listHeldConnections(ctx.store, holder)) ?? held.map(({ connectionId }) => connectionId)
  const orphans = ids.filter((id) => !isAlive(id))
  if (orphans.length > 0) await abandonConnections(ctx.store, holder, orphans)
  const others = await countOtherHolders(ctx.store, holder)
  return { current: new Set(ids), lost, others, isNew: !isKnown }
}
