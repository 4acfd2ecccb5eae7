import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defaultDurations } from '@peyk/server/base/durations.ts'
import { addAnswerMetrics, addIndexMetrics } from '@peyk/server/entry/http/operations/segment-metrics.ts'
import { addDeliveryMetrics } from '@peyk/server/entry/worker/delivery-metrics.ts'
import { createWorker } from '@peyk/server/entry/worker/worker.ts'
import { SegmentIndexes } from '@peyk/server/features/segments/index/segment-indexes.ts'
import { beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { createConnectionServerForTest } from '../helpers/connection.ts'

const folder = join(import.meta.dirname, '../../deploy/observability')
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

interface Asked {
  where: string
  expression: string
}

/** Every expression of the rules and of the dashboard. */
function listExpressions(): Asked[] {
  const { groups } = parse(read('peyk-alerts.yaml')) as { groups: { rules: { alert: string; expr: string }[] }[] }
  const { panels, templating } = JSON.parse(read('peyk-dashboard.json')) as {
    panels: { title: string; targets?: { expr: string }[] }[]
    templating: { list: { name: string; definition?: string }[] }
  }
  return [
    ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ where: alert, expression: expr }))),
    ...panels.flatMap(({ title, targets = [] }) => targets.map(({ expr }) => ({ where: title, expression: expr }))),
    ...templating.list.flatMap(({ name, definition }) =>
      definition ? [{ where: `$${name}`, expression: definition }] : [],
    ),
  ]
}

const ofPrometheus = new Set(['job', 'instance'])
const expressions = listExpressions()
const types = new Map<string, string>()
const labels = new Map<string, Set<string>>()

const { baseUrl, http, store, ctx } = await createConnectionServerForTest()
const worker = createWorker({ ...ctx, pushesPerSecond: 1, durations: defaultDurations })
addDeliveryMetrics(http.registry, store, worker)
addAnswerMetrics(http.registry, { index: 0, sql: 0 })
addIndexMetrics(http.registry, new SegmentIndexes(store, ctx.log))

beforeAll(async () => {
  const text = await (await fetch(`${baseUrl}/metrics`)).text()
  for (const [, name, type] of text.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const { labelNames } = http.registry.getSingleMetric(name as string) as unknown as { labelNames: string[] }
    types.set(name as string, type as string)
    labels.set(name as string, new Set(labelNames))
  }
})

/** The series of a histogram under the name of the histogram. */
function metricOf(series: string): { name: string; part?: string } {
  const [, name, part] = /^(.+)_(bucket|count|sum)$/.exec(series) ?? []
  return name !== undefined && part !== undefined && types.get(name) === 'histogram' ? { name, part } : { name: series }
}

const seriesOf = (expression: string) => [...expression.matchAll(/\b((?:peyk|process|nodejs)_[a-z0-9_]+)(\{[^}]*\})?/g)]

it('asks only for metrics that /metrics has', () => {
  const unknown = expressions.flatMap(({ where, expression }) =>
    seriesOf(expression)
      .map(([, series]) => series as string)
      .filter((series) => !types.has(metricOf(series).name))
      .map((series) => `${where}: ${series}`),
  )
  expect(expressions.length).toBeGreaterThan(30)
  expect(unknown).toEqual([])
})

it('names only labels that they have', () => {
  const wrong = expressions.flatMap(({ where, expression }) => {
    const asked = seriesOf(expression).map(([, series]) => metricOf(series as string))
    const known = new Set([
      ...ofPrometheus,
      ...asked.flatMap(({ name, part }) => [...(labels.get(name) ?? []), ...(part === 'bucket' ? ['le'] : [])]),
    ])
    const selected = seriesOf(expression).flatMap(([, series, braces = '']) => {
      const own = labels.get(metricOf(series as string).name) ?? new Set()
      return [...braces.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)]
        .map(([, label]) => label as string)
        .filter((label) => !own.has(label) && !ofPrometheus.has(label))
    })
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)]
      .flatMap(([, list]) => (list as string).split(',').map((label) => label.trim()))
      .filter((label) => !known.has(label))
    return [...selected, ...grouped].map((label) => `${where}: ${label}`)
  })
  expect(wrong).toEqual([])
})

it('takes the rate of counters and histograms only, and never the bare number of one', () => {
  const wrong = expressions
    .filter(({ where }) => !where.startsWith('$'))
    .flatMap(({ where, expression }) =>
      seriesOf(expression).flatMap(({ 1: series, index }) => {
        const isRate = /\b(?:rate|increase|irate)\($/.test(expression.slice(0, index))
        const isCounter = types.get(metricOf(series as string).name) !== 'gauge'
        return isRate === isCounter ? [] : [`${where}: ${series}`]
      }),
    )
  expect(wrong).toEqual([])
})

it('names its metrics as promtool check metrics wants them', async () => {
  const lines = [...types].flatMap(([name, type]) => [
    ...((type === 'counter') === name.endsWith('_total') ? [] : [`${type} ${name}`]),
    ...(type === 'gauge' && /_(count|sum|bucket)$/.test(name) ? [`${type} ${name}`] : []),
    ...(/[A-Z]|:|_(ms|milliseconds|minutes|hours|kilobytes|mb)\b/.test(name) ? [`${type} ${name}`] : []),
  ])
  expect(types.size).toBeGreaterThan(40)
  expect(lines).toEqual([])
})

it('says in every rule what is wrong, how bad it is and what to do; panels have ids and places of their own', () => {
  const { groups } = parse(read('peyk-alerts.yaml'))
  for (const rule of groups[0].rules)
    expect(rule).toMatchObject({
      alert: expect.stringMatching(/^Peyk[A-Z]/),
      labels: { severity: expect.stringMatching(/^(critical|warning)$/) },
      annotations: { summary: expect.stringMatching(/\.$/), description: expect.stringMatching(/[.?]$/) },
    })
  const { panels } = JSON.parse(read('peyk-dashboard.json')) as {
    panels: { id: number; gridPos: { x: number; y: number; w: number } }[]
  }
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  expect(new Set(panels.map(({ gridPos: { x, y } }) => `${x} ${y}`)).size).toBe(panels.length)
  expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true)
})
