import { until } from '@peyk/test/runner/until.ts'
import { startOtlpReceiver } from '@peyk/test/service/otlp-receiver.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { pino } from 'pino'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { Span } from './span.ts'
import { readAnswer, SpanExporter } from './span-exporter.ts'
import { newSpanId, newTraceId } from './span-ids.ts'
import type { TraceSettings } from './trace-settings.ts'

const receiver = await startOtlpReceiver()
beforeEach(() => {
  for (const list of [receiver.spans, receiver.requests, receiver.answers, receiver.texts]) list.length = 0
})

function open(given: Partial<TraceSettings> = {}) {
  const lines: { msg: string }[] = []
  const log = pino({ level: 'info' }, { write: (text) => void lines.push(JSON.parse(text)) })
  const settings: TraceSettings = {
    ...{
      url: `${receiver.url}/v1/traces`,
      headers: { 'x-key': 's3cret' },
      timeoutMs: 1_000,
      delayMs: 5,
      maxWaiting: 1_000,
    },
    ...{ sampler: { ratio: 1, isParentBased: true }, resource: {} },
    ...given,
  }
  const exporter = new SpanExporter(settings, { 'service.name': 'peyk', 'process.pid': 7 }, log)
  onTestFinished(() => exporter.close(100))
  return { exporter, lines }
}

function makeSpan(name = 'step'): Span {
  const context = { traceId: newTraceId(), spanId: newSpanId(), isSampled: true }
  const span = new Span(
    { name, kind: 'client', context, parentSpanId: undefined, startMs: 1_790_000_000_123.25 },
    () => {},
  )
  span.endMs = 1_790_000_000_124.5
  return span
}

function addMany(exporter: SpanExporter, count: number) {
  for (let index = 0; index < count; index++) exporter.add(makeSpan())
}

const settled = (exporter: SpanExporter, count: number) =>
  until(
    () => exporter.counts.exported + exporter.counts.failed + exporter.counts.dropped,
    (sum) => sum === count,
  )

it('writes spans as OTLP has them', async () => {
  const { exporter } = open()
  const [span, other] = [makeSpan('send fcm'), makeSpan()]
  span.set({ text: 'a', whole: 3, part: 0.5, yes: true, list: ['b', 'c'], nothing: undefined })
  span.link(other)
  span.fail('gone')
  exporter.add(span)
  await settled(exporter, 1)
  expect(receiver.requests).toMatchObject([
    { path: '/v1/traces', headers: { 'content-type': 'application/json', 'x-key': 's3cret' } },
  ])
  const { traceId, spanId } = span
  expect(JSON.parse(receiver.texts[0] as string)).toEqual({
    resourceSpans: [
      {
        resource: {
          attributes: [
            { key: 'service.name', value: { stringValue: 'peyk' } },
            { key: 'process.pid', value: { intValue: '7' } },
          ],
        },
        scopeSpans: [
          {
            scope: { name: 'peyk' },
            spans: [
              {
                ...{ traceId, spanId, name: 'send fcm', kind: 3 },
                ...{ startTimeUnixNano: '1790000000123250000', endTimeUnixNano: '1790000000124500000' },
                attributes: [
                  { key: 'text', value: { stringValue: 'a' } },
                  { key: 'whole', value: { intValue: '3' } },
                  { key: 'part', value: { doubleValue: 0.5 } },
                  { key: 'yes', value: { boolValue: true } },
                  { key: 'list', value: { arrayValue: { values: [{ stringValue: 'b' }, { stringValue: 'c' }] } } },
                  { key: 'error.type', value: { stringValue: 'gone' } },
                ],
                links: [{ traceId: other.traceId, spanId: other.spanId }],
                status: { code: 2 },
              },
            ],
          },
        ],
      },
    ],
  })
})

describe('the collector', () => {
  it('gets at most 512 spans at a time, and what is left after a while', async () => {
    const { exporter } = open()
    addMany(exporter, 700)
    await settled(exporter, 700)
    expect(receiver.requests).toHaveLength(2)
    expect([receiver.spans.length, exporter.countWaiting]).toEqual([700, 0])
  })

  it('is asked again when it says so', async () => {
    receiver.answers.push({ status: 503, headers: { 'retry-after': '0' } })
    const { exporter, lines } = open()
    addMany(exporter, 1)
    await settled(exporter, 1)
    expect(exporter.counts).toEqual({ exported: 1, dropped: 0, failed: 0 })
    expect(lines).toEqual([])
  })

  it('is not asked again when it refuses, and that is said once until it takes some', async () => {
    receiver.answers.push(
      { status: 400 },
      { status: 401 },
      { status: 200, body: '{"partialSuccess":{"rejectedSpans":"1"}}' },
    )
    const { exporter, lines } = open()
    for (const sum of [1, 2]) {
      addMany(exporter, 1)
      await settled(exporter, sum)
    }
    addMany(exporter, 3)
    await settled(exporter, 5)
    expect(exporter.counts).toEqual({ exported: 2, dropped: 0, failed: 3 })
    expect(lines.map(({ msg }) => msg)).toEqual([
      expect.stringContaining('does not take traces'),
      expect.stringContaining('takes traces again'),
    ])
  })

  it('may be away: no more is kept than there is room for, the rest is counted, and the end is not held up', async () => {
    const { exporter } = open({ url: `http://127.0.0.1:${await freePort()}/v1/traces` })
    addMany(exporter, 3_000)
    expect(exporter.countWaiting).toBeLessThanOrEqual(1_000)
    await exporter.close(2_000)
    const { exported, dropped, failed } = exporter.counts
    expect([exported, dropped + failed, exporter.countWaiting]).toEqual([0, 3_000, 0])
    expect(failed).toBeGreaterThan(0)
    expect(dropped).toBeGreaterThan(0)
  })

  it('gets at the end what has waited until then', async () => {
    const { exporter } = open({ delayMs: 60_000 })
    addMany(exporter, 10)
    await exporter.close(2_000)
    expect(receiver.spans).toHaveLength(10)
  })
})

it.each([
  [{ kind: 'not-sent', detail: 'refused' }, 'again', 0],
  [{ kind: 'unclear', detail: 'no answer' }, 'again', 0],
  [{ kind: 'answer', status: 429, headers: { 'retry-after': '7' }, body: '' }, 'again', 7_000],
  [{ kind: 'answer', status: 503, headers: { 'retry-after': 'soon' }, body: '' }, 'again', 0],
  [{ kind: 'answer', status: 404, headers: {}, body: '' }, 'refused', 0],
] as const)('reads %j', (answer, kind, afterMs) => {
  expect(readAnswer(answer)).toMatchObject({ kind, afterMs })
})
