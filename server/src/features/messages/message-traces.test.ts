import { expect, it } from 'vitest'
import { timeOrderedId } from '#base/ids.ts'
import { traceHere } from '#base/trace/tracer.test-support.ts'
import { runInSpan, startEntry } from '#base/trace/tracing.ts'
import { startMessageSpan, traceAccepted } from './message-traces.ts'

const newIds = (count: number) => Array.from({ length: count }, () => ({ id: timeOrderedId(0) }))

it('goes on with the trace of the request that the message came by', () => {
  traceHere()
  const [one] = newIds(1) as [{ id: string }]
  const request = startEntry('POST', {})
  runInSpan(request, () => traceAccepted([one]))
  expect(request?.attributes.get('peyk.message_id')).toBe(one.id)
  const step = startMessageSpan('dispatch', one.id, {})
  expect([step?.traceId, step?.parentSpanId]).toEqual([request?.traceId, request?.spanId])
  expect(step?.attributes.get('peyk.message_id')).toBe(one.id)
})

it('has a trace with the id of the message where its request is not known', () => {
  traceHere()
  const id = '019a9c3e-7c00-7abc-8def-0123456789ab'
  const step = startMessageSpan('dispatch', id, {})
  expect([step?.traceId, step?.parentSpanId]).toEqual(['019a9c3e7c007abc8def0123456789ab', undefined])
})

it('forgets the oldest requests, and names only some of many messages', () => {
  traceHere()
  const [first, ...others] = newIds(10_001) as [{ id: string }, ...{ id: string }[]]
  const request = startEntry('POST', {})
  runInSpan(request, () => traceAccepted([first]))
  runInSpan(request, () => traceAccepted(others))
  expect(startMessageSpan('dispatch', first.id, {})?.traceId).toBe(first.id.replaceAll('-', ''))
  expect(startMessageSpan('dispatch', others[0]?.id as string, {})?.traceId).toBe(request?.traceId)
  expect(request?.attributes.get('peyk.message_ids')).toHaveLength(100)
})
