import { loadConfig } from '@peyk/server/base/config.ts'
import { SpanTracer } from '@peyk/server/base/trace/span-tracer.ts'
import { currentSpan, logFieldsOf, useTracer } from '@peyk/server/base/trace/tracing.ts'
import { createHttpServer } from '@peyk/server/entry/http/server.ts'
import { pino } from 'pino'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { createTestToken } from '../helpers/database/test-store.ts'
import { addDevices, createDelivery, type TestDevice } from '../helpers/delivery.ts'
import { story } from '../helpers/runner/story.ts'
import { until } from '../helpers/runner/until.ts'
import { type ReceivedSpan, startOtlpReceiver } from '../helpers/service/otlp-receiver.ts'
import { caller } from '../helpers/service/test-server.ts'

const receiver = await startOtlpReceiver()
const { providers, store, external, createApp, startDispatcher } = await createDelivery()
const ctx = await createApp()
const devices = await addDevices(ctx, providers, 'fcm', 5)
const lines: Record<string, unknown>[] = []
const log = pino(
  { level: 'debug', mixin: () => logFieldsOf(currentSpan()) },
  { write: (text) => void lines.push(JSON.parse(text)) },
)
const config = loadConfig({
  PEYK_MODE: 'production',
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  OTEL_BSP_SCHEDULE_DELAY: '20',
})
const server = await createHttpServer({ config, store, log, now: () => new Date(), external })
const call = caller(await server.app.listen({ host: '127.0.0.1', port: 0 }), await createTestToken(ctx))
startDispatcher()
const traces = config.traces as NonNullable<typeof config.traces>
const tracerOf = (ratio: number) =>
  new SpanTracer({ ...traces, sampler: { ratio, isParentBased: true } }, { log, now: () => new Date(), version: '1' })
let stop = () => {}
afterAll(async () => {
  stop()
  await server.close()
})
beforeEach(() => {
  receiver.spans.length = 0
  lines.length = 0
})

const callers = { traceId: '4bf92f3577b34da6a3ce929d0e0e4736', spanId: '00f067aa0ba902b7' }
const traceparent = (flags: string) => ({ traceparent: `00-${callers.traceId}-${callers.spanId}-${flags}` })
const secret = 'a text that nobody else reads'
const send = (device: TestDevice | undefined, headers: Record<string, string> = {}) =>
  call('POST', '/api/push/toUsers', { user: device?.userId, content: secret, notification: { title: secret } }, headers)
const named = (name: string) => receiver.spans.filter((span) => span.name === name)
const only = (name: string): ReceivedSpan => {
  expect(named(name)).toHaveLength(1)
  return named(name)[0] as ReceivedSpan
}
const arrived = (name: string, count = 1) =>
  until(
    () => named(name).length,
    (length) => length >= count,
  )

story('traces', () => {
  it('sends nothing while it is off, whatever the caller wants', async () => {
    await send(devices[0], traceparent('01'))
    await until(
      () => providers.record.list({}).length,
      (count) => count === 1,
    )
    expect(receiver.requests).toEqual([])
    expect(lines.some((line) => 'trace_id' in line)).toBe(false)
  })

  it('traces a message from the request to the answer of the provider, in the trace of the caller', async () => {
    stop = useTracer(tracerOf(1))
    const { body, headers } = await send(devices[1], { ...traceparent('01'), 'x-request-id': 'order-4711' })
    await arrived('dispatch')
    expect(headers.get('x-request-id')).toBe('order-4711')
    expect(receiver.spans.every(({ traceId }) => traceId === callers.traceId)).toBe(true)
    const request = only('POST /api/push/toUsers')
    expect(request).toMatchObject({
      kind: 2,
      parentSpanId: callers.spanId,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/api/push/toUsers',
        'http.response.status_code': 200,
        'peyk.app_id': ctx.app.label,
        'peyk.request_id': 'order-4711',
        'peyk.message_id': body.id,
      },
    })
    const write = only('write messages')
    expect(write.parentSpanId).toBe(request.spanId)
    expect(only('commit messages')).toMatchObject({ parentSpanId: write.spanId, attributes: { 'peyk.batch.calls': 1 } })
    const dispatch = only('dispatch')
    expect(dispatch).toMatchObject({
      parentSpanId: request.spanId,
      attributes: { 'peyk.message_id': body.id, 'peyk.lane': 'personal', 'peyk.outcomes.accepted': 1 },
    })
    const push = only('send fcm')
    expect(push).toMatchObject({
      kind: 3,
      parentSpanId: dispatch.spanId,
      attributes: {
        'peyk.outcome': 'accepted',
        'http.request.method': 'POST',
        'http.response.status_code': 200,
        'server.address': 'localhost',
      },
    })
    expect(BigInt(push.startTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(dispatch.startTimeUnixNano))
    expect(BigInt(push.endTimeUnixNano)).toBeLessThanOrEqual(BigInt(dispatch.endTimeUnixNano))
    // The result is stored within the trace, too.
    expect(receiver.spans.filter(({ parentSpanId }) => parentSpanId === dispatch.spanId).length).toBeGreaterThan(1)
    expect(lines.find((line) => String(line.msg).startsWith('POST /api/push/toUsers 200'))).toMatchObject({
      requestId: 'order-4711',
      trace_id: callers.traceId,
      span_id: request.spanId,
    })
  })

  it('traces what goes to a group, and through the work-list, to the same end', async () => {
    const message = { target: { deviceType: 'android' }, content: secret, notification: { title: secret } }
    const { body } = await call('POST', '/api/push/byQuery', message, traceparent('01'))
    await arrived('dispatch')
    expect(body.count).toBe(devices.length)
    expect(only('POST /api/push/byQuery').attributes['peyk.message_id']).toBe(body.id)
    expect(only('dispatch')).toMatchObject({
      traceId: callers.traceId,
      parentSpanId: only('POST /api/push/byQuery').spanId,
      attributes: { 'peyk.lane': 'group', 'peyk.outcomes.accepted': devices.length },
    })
    expect(named('send fcm')).toHaveLength(devices.length)
  })

  it('says what a provider refused, and which faults were the caller’s', async () => {
    providers.faults.set('fcm', [{ status: 404, code: 'UNREGISTERED' }] as never)
    await send(devices[2])
    await arrived('dispatch')
    providers.faults.clear()
    expect(only('send fcm')).toMatchObject({ status: { code: 2 }, attributes: { 'http.response.status_code': 404 } })
    const refused = await call('POST', '/api/push/toUsers', { user: 'x' }, traceparent('01'))
    await arrived('POST /api/push/toUsers', 2)
    const span = named('POST /api/push/toUsers').find(({ traceId }) => traceId === callers.traceId)
    expect(span?.status).toBeUndefined()
    expect(span?.attributes).toMatchObject({
      'http.response.status_code': refused.status,
      'peyk.error_code': refused.body.error.code,
      'peyk.request_id': refused.body.error.requestId,
    })
  })

  it('records nothing that the caller does not want recorded, and still says in the log whose request it was', async () => {
    await send(devices[3], traceparent('00'))
    await send(devices[4], traceparent('01'))
    await arrived('dispatch')
    await arrived('POST /api/push/toUsers')
    expect(new Set(receiver.spans.map(({ traceId }) => traceId))).toEqual(new Set([callers.traceId]))
    only('POST /api/push/toUsers')
    only('dispatch')
    expect(lines.filter((line) => line.trace_id === callers.traceId).length).toBeGreaterThanOrEqual(2)
  })

  it('holds no text, token, or name of a user in any span', () => {
    const sent = receiver.texts.join('\n')
    expect(sent.length).toBeGreaterThan(1_000)
    for (const { userId, token } of devices) {
      expect(sent).not.toContain(token)
      expect(sent).not.toContain(`"${userId}"`)
    }
    expect(sent).not.toContain(secret)
  })
})
