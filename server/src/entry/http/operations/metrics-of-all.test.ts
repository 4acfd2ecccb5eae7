import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { joinFigures, type ProcessFigures } from './metrics-of-all.ts'

async function figuresOf(process: number, requests: number): Promise<ProcessFigures> {
  const registry = new Registry()
  const registers = [registry]
  new Counter({ name: 'requests_total', help: 'r', labelNames: ['route'], registers }).inc({ route: '/' }, requests)
  new Gauge({ name: 'started_seconds', help: 's', aggregator: 'omit', registers }).set(process * 10)
  new Gauge({ name: 'overdue_seconds', help: 'o', aggregator: 'first', registers }).set(7)
  new Histogram({ name: 'took_seconds', help: 't', buckets: [1], registers }).observe(0.5)
  return { process, metrics: await registry.getMetricsAsJSON() }
}

it('shows the series of each process under its number, and those of the whole service once', async () => {
  const text = await joinFigures([await figuresOf(1, 3), await figuresOf(2, 4)]).metrics()
  const series = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  expect(series).toEqual([
    'requests_total{route="/",process="1"} 3',
    'requests_total{route="/",process="2"} 4',
    'started_seconds{process="1"} 10',
    'started_seconds{process="2"} 20',
    'overdue_seconds 7',
    'took_seconds_bucket{le="1",process="1"} 1',
    'took_seconds_bucket{le="+Inf",process="1"} 1',
    'took_seconds_sum{process="1"} 0.5',
    'took_seconds_count{process="1"} 1',
    'took_seconds_bucket{le="1",process="2"} 1',
    'took_seconds_bucket{le="+Inf",process="2"} 1',
    'took_seconds_sum{process="2"} 0.5',
    'took_seconds_count{process="2"} 1',
  ])
  expect(text.match(/^# TYPE requests_total counter$/gm)).toHaveLength(1)
})
