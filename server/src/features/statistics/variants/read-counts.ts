import { type Context, db } from '#base/context.ts'
import type { Database, Store } from '#base/store/store.ts'
import { countVariants, type VariantCounts } from '../../deliveries/variants/count-variants.ts'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'

export type TimedCounts = VariantCounts & { at: Date }

interface Kept {
  counts: Promise<TimedCounts>
  /** On the clock of the process. */
  untilMs: number
}

export const many = 20_000
const shortestMs = 5_000
/** Counting takes at most a tenth of the time, however many look on. */
const restShare = 10

const keptOf = new WeakMap<Store, Map<string, Kept>>()

/** Returns the counts of a test. Counting a message to many takes seconds, so its counts are reused for a while. */
export function readCounts(
  ctx: Context,
  { id: messageId, recipients }: Pick<MessageRow, 'id' | 'recipients'>,
  goal: TestContent['goal'],
): Promise<TimedCounts> {
  const { store, app } = ctx
  const countIn = async (database: Database) => {
    const at = ctx.now()
    return { at, ...(await countVariants(database, { appId: app.id, messageId, goal })) }
  }
  if (recipients < many) return countIn(db(ctx))
  const count = () => countIn(store)
  const all = keptOf.get(store) ?? new Map<string, Kept>()
  keptOf.set(store, all)
  const nowMs = performance.now()
  for (const [id, { untilMs }] of all) if (untilMs <= nowMs) all.delete(id)
  const known = all.get(messageId)
  if (known) return known.counts
  const kept: Kept = { counts: count(), untilMs: Number.POSITIVE_INFINITY }
  all.set(messageId, kept)
  kept.counts.then(
    () => {
      const endMs = performance.now()
      kept.untilMs = endMs + Math.max(shortestMs, (endMs - nowMs) * restShare)
    },
    () => all.delete(messageId),
  )
  return kept.counts
}
