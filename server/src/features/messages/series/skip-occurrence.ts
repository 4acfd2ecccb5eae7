import type { Store, Transaction } from '#base/store/store.ts'
import { extendSeries } from './extend-series.ts'
import { cancelOccurrences, type Passed } from './occurrences-store.ts'
import { type Series, withStory } from './series.ts'
import { updateSeries } from './series-store.ts'

/** Cancels an occurrence of a series that the caller has locked, and makes the one that is then to be ahead. */
export async function skipOccurrence(
  tx: Transaction,
  series: Series,
  { occurrence, store, now }: { occurrence: Passed; store: Store; now: Date },
): Promise<Series> {
  await cancelOccurrences(tx, series, { at: now, ids: [occurrence.id] })
  const line = {
    at: occurrence.at.getTime(),
    what: 'skipped',
    messageId: occurrence.id,
    notedAt: now.getTime(),
  } as const
  const noted = withStory(series, [line])
  if (series.state === 'active') return extendSeries(tx, noted, { store, now })
  await updateSeries(tx, noted)
  return noted
}
