import type { Registry } from 'prom-client'
import type { Store } from '../../../base/store/store.ts'
import { countFrom } from '../../../features/segments/index/count-by-index.ts'
import type { IndexesElsewhere } from '../../../features/segments/index/indexes-elsewhere.ts'
import { SegmentIndexes } from '../../../features/segments/index/segment-indexes.ts'
import { addAnswerMetrics, addIndexMetrics } from '../../http/operations/segment-metrics.ts'
import { type Start, stopLimitMs } from './running.ts'

export interface IndexParts {
  /** Another process keeps the indexes of segments. */
  indexesElsewhere?: IndexesElsewhere
  /** This one keeps them, for others too. */
  onIndexesOpen?(indexes: SegmentIndexes): void
}

/** From here on segments of large apps are counted from memory, by this process or by one beside it. */
export function openIndexes({ config, log, cleanup }: Start, { store, ...parts }: IndexParts & { store: Store }) {
  const { indexesElsewhere } = parts
  if (indexesElsewhere) {
    const answered = countFrom(store, indexesElsewhere)
    return { addMetrics: (registry: Registry) => addAnswerMetrics(registry, answered) }
  }
  const indexes = new SegmentIndexes(store, log, { memoryMb: config.segmentIndexMb })
  const answered = countFrom(store, indexes)
  cleanup.add({ what: 'Closing the indexes of segments', limitMs: stopLimitMs, run: () => indexes.close() })
  parts.onIndexesOpen?.(indexes)
  return {
    addMetrics: (registry: Registry) => {
      addAnswerMetrics(registry, answered)
      addIndexMetrics(registry, indexes)
    },
  }
}
