import type { Logger } from '../../base/log.ts'
import type { Store } from '../../base/store/store.ts'
import { type Adoption, findAdoptions, moveCounters, moveEvents, settleAdoptions } from './adoptions-store.ts'
import { waitForEventWriters } from './adoption-lock.ts'

/** Enough for a burst of logins, small enough for one short transaction. */
const adoptionsPerTurn = 500
const eventsPerMove = 5_000

/**
 * [choice 17] Events of a user who had no installation go to the one of the first login: the rows, and their counters.
 *
 *   a login leaves a row in event_adoptions ──▶ wait for writers who did not see the login
 *     ──▶ move events, in bounded steps ──▶ one transaction: last events, counters, and the row is gone
 *
 * After a crash the row is still there, and what was moved is not moved again.
 */
export async function adoptUserEvents(job: { store: Store; log: Logger; signal?: AbortSignal }): Promise<void> {
  while (!job.signal?.aborted) {
    const adoptions = await findAdoptions(job.store, adoptionsPerTurn)
    if (adoptions.length === 0) return
    await waitForEventWriters(job.store, [...new Set(adoptions.map((adoption) => adoption.appId))])
    const { withEvents, others } = await lookForEvents(job.store, adoptions)
    await settleAdoptions(job.store, others)
    for (const adoption of withEvents) {
      if (job.signal?.aborted) return
      await adopt(job.store, adoption)
    }
    job.log.debug({ adoptions: adoptions.length, withEvents: withEvents.length }, 'events were given to installations')
    if (adoptions.length < adoptionsPerTurn) return
  }
}
