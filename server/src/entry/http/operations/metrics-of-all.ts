import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client'

type Metric = MetricObjectWithValues<MetricValue<string>>

/** What one of several processes counts. */
export interface ProcessFigures {
  process: number
  metrics: Metric[]
}

/** Of the processes that serve one port: whichever of them is asked answers for all. */
export interface MetricsOfAll {
  /** What this process answers when another one is asked. */
  showOwn(read: () => Promise<Metric[]>): void
  gather(): Promise<ProcessFigures[]>
}

/**
 * Each process has series of its own, told apart by the label `process`: counters of one that was started again begin at
 * zero, as Prometheus expects it, while a sum of all would go back. Figures of the whole service, which are marked by
 * `aggregator: 'first'`, are there once and without the label.
 */
export function joinFigures(all: readonly ProcessFigures[]): Registry {
  return AggregatorRegistry.aggregate(
    all.map(({ process, metrics }) => metrics.map((metric) => labelMetric(metric, process))),
  )
}

function labelMetric(metric: Metric, process: number): Metric {
  if (metric.aggregator === 'first') return metric
  const values = metric.values.map((value) => ({ ...value, labels: { ...value.labels, process } }))
  // With the label no two values are of the same series: there is nothing to add up, and nothing is left out.
  return { ...metric, aggregator: 'sum', values }
}
