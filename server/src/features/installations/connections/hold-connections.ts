import type { Peer } from '#base/bus/peers.ts'
import type { Role } from '#base/config.ts'
import type { Context } from '#base/context.ts'
import {
  dropDeadHolders,
  forgetLeft,
  type LostConnection,
  listOtherHolders,
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
 * To be called every few seconds by a process: it lives, and others that do not any more hold no connections. Answers who was connected to a process that is no more, which other processes there are, and whether this
 * one is new to them. A process counts as alive for `aliveMs` after it said so, and longer as long as nobody who is
 * steady has given it up.
 */
export async function holdConnections(
  ctx: Pick<Context, 'store'>,
  input: {
    holder: string
    aliveMs: number
    /** What this process does. */
    roles?: readonly Role[]
    /** Asked when the others do not know this process. */
    listHeld: () => readonly HeldConnection[]
    /** Without it, nobody is given up. */
    storeContact?: StoreContact
  },
): Promise<{ lost: LostConnection[]; others: Peer[]; isNew: boolean }> {
  const { holder, aliveMs, roles, listHeld, storeContact } = input
  const isKnown = await renewHolder(ctx.store, holder, { aliveMs, roles })
  const held = isKnown ? [] : listHeld()
  if (held.length > 0) await restoreConnections(ctx.store, holder, held)
  storeContact?.note(performance.now())
  const mayJudge = () => storeContact?.isSteady(performance.now()) ?? false
  const lost = await ctx.store.transaction((tx) => dropDeadHolders(tx, { holder, aliveMs, mayJudge }))
  await forgetLeft(ctx.store)
  const others = await listOtherHolders(ctx.store, holder)
  return { lost, others, isNew: !isKnown }
}
