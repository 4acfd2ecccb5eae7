import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { RequestError } from '../errors.ts'
import { decideSampling } from './decide-sampling.ts'
import { newSpanId, newTraceId } from './span-ids.ts'
import { readTraceparent } from './traceparent.ts'
import { traceHere } from './tracer.test-support.ts'
import { currentSpan, runAsSpan, runInSpan, runOutsideSpans, startApart, startEntry, startSpan } from './tracing.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const spanId = '00f067aa0ba902b7'

describe('the header traceparent', () => {
  it('is read', () => {
    expect(readTraceparent(`00-${traceId}-${spanId}-01`)).toEqual({ traceId, spanId, isSampled: true })
    expect(readTraceparent(`00-${traceId}-${spanId}-02`)).toEqual({ traceId, spanId, isSampled: false })
    expect(readTraceparent(`42-${traceId}-${spanId}-03-more`)).toEqual({ traceId, spanId, isSampled: true })
  })

  it.each([
    undefined,
    [],
    '',
    'garbage',
    `00-${traceId}-${spanId}`,
    `00-${traceId}-${spanId}-01-more`,
    `ff-${traceId}-${spanId}-01`,
    `00-${traceId.toUpperCase()}-${spanId}-01`,
    `00-${'0'.repeat(32)}-${spanId}-01`,
    `00-${traceId}-${'0'.repeat(16)}-01`,
    `01-${traceId}-${spanId}-01-${'x'.repeat(1_000)}`,
  ])('counts as missing when it is %j', (header) => {
    expect(readTraceparent(header)).toBeUndefined()
  })
})

describe('sampling', () => {
  const remote = (isSampled: boolean) => ({ traceId, spanId, isSampled })

  it('leaves it to the caller where it is told to', () => {
    expect(decideSampling({ ratio: 0, isParentBased: true }, traceId, remote(true))).toBe(true)
    expect(decideSampling({ ratio: 1, isParentBased: true }, traceId, remote(false))).toBe(false)
    expect(decideSampling({ ratio: 1, isParentBased: false }, traceId, remote(false))).toBe(true)
    expect(decideSampling({ ratio: 0, isParentBased: false }, traceId, remote(true))).toBe(false)
  })

  it('takes about as many traces as it is to, the same ones everywhere', () => {
    const ids = Array.from({ length: 4_000 }, newTraceId)
    const sampled = (ratio: number) => ids.filter((id) => decideSampling({ ratio, isParentBased: true }, id, undefined))
    expect([sampled(0).length, sampled(1).length]).toEqual([0, 4_000])
    expect(sampled(0.25).length).toBeGreaterThan(800)
    expect(sampled(0.25).length).toBeLessThan(1_200)
    expect(sampled(0.5)).toEqual(expect.arrayContaining(sampled(0.25)))
  })
})

it('has ids of the right length, none twice', () => {
  const ids = new Set(Array.from({ length: 2_000 }, () => `${newTraceId()} ${newSpanId()}`))
  expect(ids.size).toBe(2_000)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32} [0-9a-f]{16}$/)
})

describe('what runs within a span', () => {
  it('has its steps, also after waiting', async () => {
    const ended = traceHere()
    const request = startEntry('request', {})
    await runAsSpan(request, async () => {
      await new Promise((resolve) => setImmediate(resolve))
      await runAsSpan(startSpan('step'), async () => expect(currentSpan()?.name).toBe('step'))
      runOutsideSpans(() => expect(currentSpan()).toBeUndefined())
    })
    expect(ended.map(({ name, parentSpanId }) => [name, parentSpanId])).toEqual([
      ['step', request?.spanId],
      ['request', undefined],
    ])
  })

  it('says with what it failed, and never why in words', async () => {
    const ended = traceHere()
    const fault = new RequestError('not-found', 'There is no user Jane.')
    const failing = runAsSpan(startEntry('request', {}), () => Promise.reject(fault))
    await expect(failing).rejects.toBe(fault)
    expect(ended).toMatchObject([{ hasFailed: true, attributes: new Map([['error.type', 'not-found']]) }])
  })

  it('keeps nothing when it is not sampled', () => {
    const ended = traceHere({ isSampled: false })
    const request = startEntry('request', { attributes: { a: 1 } })
    request?.set({ b: 2 })
    request?.end()
    expect(runInSpan(request, () => startSpan('step'))).toBeUndefined()
    expect(startApart('apart', {})).toBeUndefined()
    expect([request?.attributes.size, ended]).toEqual([0, []])
  })

  it('has a limited number of links', () => {
    traceHere()
    const commit = startApart('commit', {})
    for (let nth = 0; nth < 1_000; nth++) commit?.link({ traceId, spanId, isSampled: true })
    expect(commit?.links).toHaveLength(128)
  })

  it('is as ever when nothing is traced', async () => {
    expect([startSpan('x'), startEntry('x', {}), startApart('x', {}), currentSpan()]).toEqual(Array(4).fill(undefined))
    expect(await runAsSpan(undefined, async () => 5)).toBe(5)
  })
})

it('is loaded only where it is switched on', () => {
  const root = join(import.meta.dirname, '../..')
  const importers = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.includes('.test'))
    .filter((path) => /from '.*span-(tracer|exporter)\.ts'/.test(readFileSync(join(root, path), 'utf8')))
  expect(importers.sort()).toEqual(['base/trace/span-tracer.ts', 'entry/command/doctor/check-collector.ts'])
})
