import { announceWork } from '#base/bus/wake.ts'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { isStoreAway } from '#base/store/store-error.ts'
import { dropUnapproved } from '../approved/drop-unapproved.ts'
import { startOccurrences } from '../series/start-occurrences.ts'
import { postponeScheduled, removeScheduled, takeDue } from './schedule-store.ts'
import { startMessages } from './start-messages.ts'

export type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

/** Those to named users start together; a group is looked for in a transaction of its own. */
const together = 200

/**
 * Starts what is due, a part at a time: in one transaction the message is stored as if it had been sent now, with the id
 * it has, and leaves the schedule. So it starts once, whoever is killed at which moment. True when there may be more.
 * Occurrences of series are started one series at a time.
 */
export async function startScheduled(services: Services): Promise<boolean> {
  const named = await startSome(services, { areNamed: true, limit: together })
  const groups = await startSome(services, { areNamed: false, limit: 1 })
  const series = await startOccurrences(services)
  if (named + groups + series > 0) announceWork(services.store)
  return named === together || groups + series > 0
}

async function startSome(services: Services, which: { areNamed: boolean; limit: number }): Promise<number> {
  try {
    return await services.store.transaction((tx) => startTaken(services, tx, which))
  } catch (error) {
    if (isStoreAway(error)) throw error
    if (which.limit > 1) return startOneByOne(services, which)
    services.log.error({ err: error }, 'a scheduled message could not be started and is tried again in 30 seconds')
    await services.store.transaction(async (tx) => postponeScheduled(tx, await takeDue(tx, which)))
    return 1
  }
}

/** One that cannot be stored does not hold up the others. */
async function startOneByOne(services: Services, { areNamed, limit }: { areNamed: boolean; limit: number }) {
  let started = 0
  while (started < limit && (await startSome(services, { areNamed, limit: 1 })) > 0) started++
  return started
}

async function startTaken(services: Services, tx: Transaction, which: { areNamed: boolean; limit: number }) {
  const due = await takeDue(tx, which)
  if (due.length === 0) return 0
  const starting = await dropUnapproved(services, tx, due)
  await startMessages(services, tx, starting)
  await removeScheduled(tx, starting)
  return due.length
}
