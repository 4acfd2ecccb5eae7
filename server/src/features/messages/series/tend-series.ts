import type { Context } from '#base/context.ts'
import { extendSeries } from './extend-series.ts'
import { occurrencesAhead } from './series.ts'
import { findSeriesToTend, tryLockSeries } from './series-store.ts'

type Services = Pick<Context, 'store' | 'now'> & { signal?: AbortSignal }

const atOnce = 100

/**
 * Makes occurrences that nobody has made: whoever starts or cancels one makes the next, unless it was a version of the
 * service that knew no series, and unless the clock was put back.
 */
export async function tendSeries({ store, now, signal }: Services): Promise<void> {
  const found = await findSeriesToTend(store, { ahead: occurrencesAhead, limit: atOnce })
  for (const key of found) {
    if (signal?.aborted) return
    await store.transaction(async (tx) => {
      const series = await tryLockSeries(tx, key)
      if (series?.state === 'active') await extendSeries(tx, series, { store, now: now() })
    })
  }
}
