import type { Context } from '../../../base/context.ts'
import type { Logger } from '../../../base/log.ts'
import type { Store } from '../../../base/store/store.ts'
import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import { type IndexLimits, SegmentIndexes } from './segment-indexes.ts'

const indexesOf = new WeakMap<Store, SegmentIndexes>()

/** From here on, segments of large apps are counted from memory in this process. */
export function openSegmentIndexes(store: Store, log: Logger, limits: Partial<IndexLimits>): SegmentIndexes {
  const indexes = new SegmentIndexes(store, log, limits)
  indexesOf.set(store, indexes)
  return indexes
}

/** Undefined where SQL has to be asked: also within a transaction, which sees what it has not committed. */
export async function countByIndex(
  { store, tx, app }: Pick<Context, 'store' | 'tx' | 'app'>,
  conditions: readonly Condition<FittedRule>[],
  at: Date,
): Promise<StepCounts | undefined> {
  return tx ? undefined : indexesOf.get(store)?.count(app.id, conditions, at)
}

/** Whether it is worth reading an audience for. Where there is none, it may be opened. */
export function isIndexReady({ store, tx, app }: Pick<Context, 'store' | 'tx' | 'app'>): boolean {
  return !tx && (indexesOf.get(store)?.isReady(app.id) ?? false)
}
