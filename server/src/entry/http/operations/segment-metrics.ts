import { Counter, Gauge, type Registry } from 'prom-client'
import type { SegmentIndexes } from '../../../features/segments/index/segment-indexes.ts'

/** What /metrics shows of the indexes of segments in this process. */
export function addSegmentMetrics(registry: Registry, indexes: Pick<SegmentIndexes, 'figures'>): void {
  const registers = [registry]
  new Gauge({
    name: 'peyk_segment_index_installations',
    help: 'Installations in the indexes of segments that are ready.',
    registers,
    collect() {
      this.set(indexes.figures().installations)
    },
  })
  new Gauge({
    name: 'peyk_segment_index_bytes',
    help: 'Memory that the indexes of segments take.',
    registers,
    collect() {
      this.set(indexes.figures().bytes)
    },
  })
  new Counter({
    name: 'peyk_segment_counts_total',
    help: 'Segments that were counted, by the index or by SQL.',
    labelNames: ['by'],
    registers,
    collect() {
      const { counts } = indexes.figures()
      this.reset()
      this.inc({ by: 'index' }, counts.index)
      this.inc({ by: 'sql' }, counts.sql)
    },
  })
}
