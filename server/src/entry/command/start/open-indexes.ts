import type { Registry } from 'prom-client'
import type { Store } from '#base/store/store.ts'
import { askIndexes } from '#features/segments/index/ask-index.ts'
import { SegmentIndexes } from '#features/segments/index/segment-indexes.ts'
import { SharedIndexes } from '#features/segments/index/shared-indexes.ts'
import { addAnswerMetrics, addIndexMetrics } from '../../http/operations/segment-metrics.ts'
import { hasPart } from '../../roles.ts'
import { type Start, stopLimitMs } from './running.ts'

/** From here on segments of large apps are counted from memory, by this process or by another one. */
export function openIndexes({ config, log, cleanup }: Start, store: Store) {
  const isKeeper = hasPart(config.roles, 'segment-indexes')
  const own = isKeeper ? new SegmentIndexes(store, log, { memoryMb: config.segmentIndexMb }) : undefined
  const all = new SharedIndexes(store, own)
  const answered = askIndexes(store, all)
  const close = async () => {
    all.stop()
    await own?.close()
  }
  cleanup.add({ what: 'Closing the indexes of segments', limitMs: stopLimitMs, run: close })
  return {
    addMetrics: (registry: Registry) => {
      addAnswerMetrics(registry, answered)
      if (own) addIndexMetrics(registry, own)
    },
  }
}
