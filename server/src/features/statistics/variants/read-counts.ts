import type { Context } from '../../../base/context.ts'
import type { Store } from '../../../base/store/store.ts'
import { countVariants, type VariantCounts } from '../../deliveries/variants/count-variants.ts'
import type { TestContent } from '../../messages/compose/compose-test.ts'
import type { MessageRow } from '../../messages/stored/message-answer.ts'

interface Kept {
  counts: Promise<VariantCounts>
  /** On the clock of the process. */
  untilMs: number
}

const many = 20_000
const shortestMs = 5_000
/** Counting takes at most a tenth of the time, however many look on. */
const restShare = 10

const keptOf = new WeakMap<Store, Map<string, Kept>>()

/** The counts of a test. Those of a message to many take seconds: whoever asks meanwhile, or soon after, gets the same. */
export function readCounts(
  { store, app }: Context,
  { id: messageId, recipients }: Pick<MessageRow, 'id' | 'recipients'>,
  goal: TestContent['goal'],
): Promise<VariantCounts> {
  const count = () => countVariants(store, { appId: app.id, messageId, goal })
  if (recipients < many) return count()
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
