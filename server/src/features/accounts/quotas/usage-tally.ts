import type { Context } from '#base/context.ts'
import type { Store } from '#base/store/store.ts'

export type Tallied = 'messages' | 'deliveries' | 'events' | 'installations'

/** By app: how much was added that the store does not know of yet. */
export type Tally = Map<number, Record<Tallied, number>>

/**
 * Counts in memory what apps use, so that nothing is written where it is used. It is written every few seconds, and when the
 * process ends; a process that is killed loses what it had not written.
 */
class UsageTally {
  private added: Tally = new Map()
  private beingWritten: Tally = new Map()

  add(appId: number, name: Tallied, count: number): void {
    addTo(this.added, appId, name, count)
  }

  /** What is not in the store yet, or is just being written. */
  of(appId: number, name: Tallied): number {
    return (this.added.get(appId)?.[name] ?? 0) + (this.beingWritten.get(appId)?.[name] ?? 0)
  }

  /** What was added until now is written, then read back by `after`; what could not be written is kept. */
  async write(write: (tally: Tally) => Promise<void>, after: () => Promise<void>): Promise<void> {
    const taken = this.added
    this.added = new Map()
    this.beingWritten = taken
    try {
      if (taken.size > 0) await write(taken)
    } catch (error) {
      for (const [appId, counts] of taken)
        for (const [name, count] of Object.entries(counts)) addTo(this.added, appId, name as Tallied, count)
      this.beingWritten = new Map()
      throw error
    }
    try {
      await after()
    } finally {
      this.beingWritten = new Map()
    }
  }
}

function addTo(tally: Tally, appId: number, name: Tallied, count: number): void {
  let counts = tally.get(appId)
  if (!counts) {
    counts = { messages: 0, deliveries: 0, events: 0, installations: 0 }
    tally.set(appId, counts)
  }
  counts[name] += count
}

const tallies = new WeakMap<Store, UsageTally>()

export function tallyOf(store: Store): UsageTally {
  let tally = tallies.get(store)
  if (!tally) {
    tally = new UsageTally()
    tallies.set(store, tally)
  }
  return tally
}

export type UsageContext = Pick<Context, 'store' | 'tx'> & { app: { id: number } }

/** In a transaction it counts when that is committed. */
export function countUsage(ctx: UsageContext, name: Tallied, count: number): void {
  const { app, store, tx } = ctx
  const add = () => tallyOf(store).add(app.id, name, count)
  if (tx) tx.afterCommit(add)
  else add()
}
