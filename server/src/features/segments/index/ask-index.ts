import type { Context } from '#base/context.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import type { Condition, FittedRule } from '../condition.ts'
import type { StepCounts } from '../count/count-steps.ts'
import type { ListedPart } from './listed-part.ts'

export interface IndexQuestion {
  appId: number
  conditions: readonly Condition<FittedRule>[]
  /** Only read by processes of the previous version, which leave out newer installations. */
  atMs: number
}

/** The indexes of this process, or those of another one that is asked. Undefined where SQL has to be asked. */
export interface IndexSource {
  /** Whether it is worth reading an audience for. */
  isReady(appId: number): boolean
  count(question: IndexQuestion): Promise<StepCounts | undefined>
  /** The numbers of the installations that were there last. */
  recent(question: IndexQuestion): Promise<number[] | undefined>
  /** No index is opened for it. Who asks within a transaction holds a connection, and says which. */
  list(question: IndexQuestion, tx?: Transaction): Promise<ListedPart[] | undefined>
}

/** How many questions were answered by what. */
export interface Answered {
  index: number
  sql: number
}

const sourceOf = new WeakMap<Store, { source: IndexSource; answered: Answered }>()

/** From here on, segments of large apps are counted and listed from memory where that can be. */
export function askIndexes(store: Store, source: IndexSource): Answered {
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

/** The installations of the app that were there last, the last one first; undefined where SQL has to be asked. */
export async function recentByIndex({
  store,
  app,
  now,
}: Pick<Context, 'store' | 'app' | 'now'>): Promise<number[] | undefined> {
  return sourceOf.get(store)?.source.recent({ appId: app.id, conditions: [], atMs: now().getTime() })
}

/**
 * Whom an audience has, for a send; undefined where SQL has to be asked. A transaction may ask, too, as long as it has
 * changed nothing that an audience depends on.
 */
export async function listByIndex(
  { store, tx, app }: Pick<Context, 'store' | 'tx' | 'app'>,
  conditions: readonly Condition<FittedRule>[],
  at: Date,
): Promise<ListedPart[] | undefined> {
  const from = sourceOf.get(store)
  if (!from) return undefined
  const parts = await from.source.list({ appId: app.id, conditions, atMs: at.getTime() }, tx)
  from.answered[parts ? 'index' : 'sql']++
  return parts
}

/** Where there is none, it may be opened. */
export function isIndexReady({ store, tx, app }: Pick<Context, 'store' | 'tx' | 'app'>): boolean {
  return !tx && (sourceOf.get(store)?.source.isReady(app.id) ?? false)
}
