import type { Context } from '../../../base/context.ts'
import type { Store } from '../../../base/store/store.ts'
import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'

export interface IndexQuestion {
  appId: number
  conditions: readonly Condition<FittedRule>[]
  /** Installations that were made later are not meant [choice 28]. */
  atMs: number
}

/** The indexes of this process, or those of another one that is asked. */
export interface IndexSource {
  /** Whether it is worth reading an audience for. */
  isReady(appId: number): boolean
  /** Undefined where SQL has to be asked. */
  count(question: IndexQuestion): Promise<StepCounts | undefined>
}

/** How many questions were answered by what. */
export interface Answered {
  index: number
  sql: number
}

const sourceOf = new WeakMap<Store, { source: IndexSource; answered: Answered }>()

/** From here on, segments of large apps are counted from memory where that can be. */
export function countFrom(store: Store, source: IndexSource): Answered {
  const answered: Answered = { index: 0, sql: 0 }
  sourceOf.set(store, { source, answered })
  return answered
}

/** Undefined where SQL has to be asked: also within a transaction, which sees what it has not committed. */
export async function countByIndex(
  { store, tx, app }: Pick<Context, 'store' | 'tx' | 'app'>,
  conditions: readonly Condition<FittedRule>[],
  at: Date,
): Promise<StepCounts | undefined> {
  const from = tx ? undefined : sourceOf.get(store)
  if (!from) return undefined
  const counts = await from.source.count({ appId: app.id, conditions, atMs: at.getTime() })
  from.answered[counts ? 'index' : 'sql']++
  return counts
}

/** Where there is none, it may be opened. */
export function isIndexReady({ store, tx, app }: Pick<Context, 'store' | 'tx' | 'app'>): boolean {
  return !tx && (sourceOf.get(store)?.source.isReady(app.id) ?? false)
}
