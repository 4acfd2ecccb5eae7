import type { Store, Transaction } from '#base/store/store.ts'
import { emitScheduled } from '../schedule/emit-scheduled.ts'
import { insertOccurrences, readAhead, reviveOccurrences } from './occurrences-store.ts'
import { planAhead } from './plan-ahead.ts'
import type { Series } from './series.ts'
import { updateSeries } from './series-store.ts'

/**
 * Makes the occurrences that should be ahead, and stores the series as it is given with what came of that. It is locked
 * by the caller, so nobody else makes the same ones; the database would refuse a second one of a moment, too.
 */
export async function extendSeries(
  tx: Transaction,
  series: Series,
  { store, now, passed = 'missed' }: { store: Store; now: Date; passed?: 'missed' | 'skipped' },
): Promise<Series> {
  const plan = planAhead(series, await readAhead(tx, series), { now, passed })
  const missing = plan.revived.length > 0 ? await reviveOccurrences(tx, series, plan.revived) : []
  const made = await insertOccurrences(tx, plan.series, { moments: [...missing, ...plan.moments], now })
  await emitScheduled(tx, store, made, now)
  await updateSeries(tx, plan.series)
  return plan.series
}
