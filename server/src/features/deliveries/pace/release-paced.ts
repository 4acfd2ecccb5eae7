import { announceWork } from '#base/bus/wake.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import {
  type DuePace,
  endPace,
  movePace,
  postponePace,
  releaseBatches,
  startSmsDelays,
  takeDuePaces,
} from './pace-store.ts'

const together = 50

/**
 * Lets messages with a throttle go on, as far as their pace allows by now. Every process that sends looks several times a
 * second; whoever is first has the row of the message, which says when the next installation may go, so that the pace is
 * one for all processes. True when there may be more.
 *
 *   delivery_batches with paced_from ──a part, when it is due──▶ delivery_batches that are due now ──▶ as ever
 *          ▲───────────────────what is to be tried again──────────────────────────────┘
 */
export async function releasePaced({ store }: { store: Store }): Promise<boolean> {
  const { looked, released } = await store.transaction(async (tx) => {
    const due = await takeDuePaces(tx, { limit: together })
    let count = 0
    for (const pace of due) count += await release(tx, pace)
    return { looked: due.length, released: count }
  })
  if (released > 0) announceWork(store)
  return looked === together
}

async function release(tx: Transaction, pace: DuePace): Promise<number> {
  const released = await releaseBatches(tx, pace)
  const count = released.reduce((sum, batch) => sum + batch.installation_nos.length, 0)
  const isNew = released.flatMap(({ installation_nos, is_new }) => (is_new ? installation_nos : []))
  if (isNew.length > 0 && pace.sms_delay !== null) await startSmsDelays(tx, pace, isNew)
  if (count > 0) await movePace(tx, pace, count)
  else {
    await postponePace(tx, pace)
    await endPace(tx, pace)
  }
  return count
}
