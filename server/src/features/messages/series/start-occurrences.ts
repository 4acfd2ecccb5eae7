import type { StoryLine } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import type { Transaction } from '#base/store/store.ts'
import { isStoreAway } from '#base/store/store-error.ts'
import { dropUnapproved } from '../approved/drop-unapproved.ts'
import { removeScheduled, takeDueOccurrences } from '../schedule/schedule-store.ts'
import type { ScheduledMessage } from '../schedule/scheduled-message.ts'
import { startMessages } from '../schedule/start-messages.ts'
import { decideLate } from './decide-late.ts'
import { extendSeries } from './extend-series.ts'
import { cancelOccurrences, findDueSeries, postponeOccurrences } from './occurrences-store.ts'
import { withStory } from './series.ts'
import { tryLockSeries } from './series-store.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>
type Key = { appId: number; id: string }

const together = 50

/**
 * Starts the occurrences that are due, a series at a time: in one transaction they become messages, what became of them
 * is written down, and the next ones are made. Answers how many series there were.
 */
export async function startOccurrences(services: Services): Promise<number> {
  const due = await findDueSeries(services.store, together)
  let started = 0
  for (const key of due) if (await startOne(services, key)) started++
  return started
}

async function startOne(services: Services, key: Key): Promise<boolean> {
  try {
    return await services.store.transaction((tx) => startDue(services, tx, key))
  } catch (error) {
    if (isStoreAway(error)) throw error
    services.log.error(
      { err: error, series: key.id },
      'an occurrence of a series could not be started and is tried again in 30 seconds',
    )
    await postponeOccurrences(services.store, key)
    return true
  }
}

/** False when somebody else has the series: it is looked at again a second later. */
async function startDue(services: Services, tx: Transaction, key: Key): Promise<boolean> {
  const series = await tryLockSeries(tx, key)
  if (!series) return false
  const due = await takeDueOccurrences(tx, { appId: key.appId, seriesId: key.id })
  if (due.length === 0) return false
  const now = services.now()
  const { going: late, missed } = decideLate(due, now)
  const going = await dropUnapproved(services, tx, late)
  await startMessages(services, tx, going)
  await removeScheduled(tx, going)
  await cancelOccurrences(tx, key, { at: now, ids: missed.map(({ id }) => id) })
  const line = (what: StoryLine['what']) => (message: ScheduledMessage) => ({
    at: (message.occurrence?.at ?? message.dueAt).getTime(),
    what,
    messageId: message.id,
    notedAt: now.getTime(),
  })
  const lines = [...missed.map(line('missed')), ...going.map(line('sent'))].toSorted((a, b) => a.at - b.at)
  await extendSeries(tx, withStory(series, lines), { store: services.store, now })
  return true
}
