import { Counter, Gauge, type Registry } from 'prom-client'
import type { Answered } from '#features/segments/index/ask-index.ts'
import type { SegmentIndexes } from '#features/segments/index/segment-indexes.ts'

/** What /metrics shows of the segments that this process was asked to count or to list. */
export function addAnswerMetrics(registry: Registry, answered: Answered): void {
  new Counter({
    name: 'peyk_segment_counts_total',
    help: 'Segments that were counted or listed for a send, by the index or by SQL.',
    labelNames: ['by'],
    registers: [registry],
    collect() {
      this.reset()
      this.inc({ by: 'index' }, answered.index)
      this.inc({ by: 'sql' }, answered.sql)
    },
  })
}

/** And of the indexes that it keeps. */
export function addIndexMetrics(registry: Registry, indexes: Pick<SegmentIndexes, 'figures'>): void {
  const registers = [registry]
  new Gauge({
    name: 'peyk_segment_indexes',
    help: 'Indexes of segments, by state: filling, or ready to answer.',
    labelNames: ['state'],
    registers,
    collect() {
      const { filling, ready } = indexes.figures()
      this.set({ state: 'filling' }, filling)
      this.set({ state: 'ready' }, ready)
    },
  })
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
  new Gauge({
    name: 'peyk_segment_index_behind_bytes',
    help: 'How much of its log PostgreSQL holds for the index of segments that is furthest behind.',
    registers,
    collect() {
      this.set(indexes.figures().behindBytes)
    },
  })
  new Counter({
    name: 'peyk_segment_index_losses_total',
    help: 'Indexes of segments that ended unasked and have to be filled anew.',
    registers,
    collect() {
      this.reset()
      this.inc(indexes.figures().losses)
    },
  })
}
