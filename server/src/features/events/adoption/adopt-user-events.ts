import type { Logger } from '#base/log.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import { keepEventWritersOut, waitForEventWriters } from './adoption-lock.ts'
import {
  type Adoption,
  findAdoptions,
  findSlice,
  findWaitingEvents,
  lockAdoptions,
  moveCounters,
  moveEvents,
  takeAdoption,
  takeAdoptions,
} from './adoptions-store.ts'

const adoptionsPerTurn = 500
const eventsPerSlice = 5_000

/**
 * [users-and-events.md#installations-and-users] Events of a user who had no installation go to the one of the first
 * login: the rows and the counters.
 *
 *   a login leaves a row in event_adoptions ──▶ wait for writers who did not see the login
 *     ──▶ move events, slice by slice ──▶ one transaction: the last events, the counters, and the row is gone
 *
 * After a crash the row is still there: moved events are not moved again, and counters move with the row. In the last
 * transaction nobody stores an event without an installation: an event that came between the moves of the events and of
 * the counters would be counted for the wrong owner.
 */
export async function adoptUserEvents(job: { store: Store; log: Logger; signal?: AbortSignal }): Promise<void> {
  const { store, log, signal } = job
  while (!signal?.aborted) {
    const adoptions = await findAdoptions(store, adoptionsPerTurn)
    if (adoptions.length === 0) return
    await waitForEventWriters(store, [...new Set(adoptions.map((adoption) => adoption.appId))])
    const waiting = await store.transaction((tx) => settleEmpty(tx, adoptions))
    for (const adoption of waiting) if (!signal?.aborted) await adopt(store, adoption)
    log.debug({ logins: adoptions.length, users: waiting.length }, 'events of users went to their installations')
    if (adoptions.length < adoptionsPerTurn) return
  }
}

/** Most logins have nothing to adopt. Answers the others. */
async function settleEmpty(tx: Transaction, adoptions: readonly Adoption[]): Promise<Adoption[]> {
  const locked = await lockAdoptions(tx, adoptions)
  const waiting = await findWaitingEvents(tx, locked)
  const users = new Set(waiting.map((adoption) => adoption.userNo))
  await takeAdoptions(
    tx,
    locked.filter((adoption) => !users.has(adoption.userNo)),
  )
  return waiting
}

async function adopt(store: Store, adoption: Adoption): Promise<void> {
  let from = new Date(0)
  for (;;) {
    const slice = await findSlice(store, adoption, from, eventsPerSlice)
    if (!slice || slice.count < eventsPerSlice) break
    await store.transaction((tx) => moveSlice(tx, adoption, from, slice.to))
    from = slice.to
  }
  await store.transaction(async (tx) => {
    await keepEventWritersOut(tx, adoption.appId)
    if (!(await takeAdoption(tx, adoption))) return
    await moveEvents(tx, adoption, new Date(0), undefined)
    await moveCounters(tx, adoption)
  })
}

/** Unless somebody else has settled it meanwhile, or the installation was deleted. */
async function moveSlice(tx: Transaction, adoption: Adoption, from: Date, to: Date): Promise<void> {
  const [locked] = await lockAdoptions(tx, [adoption])
  if (locked?.installationNo === adoption.installationNo) await moveEvents(tx, adoption, from, to)
}
