import { rm } from 'node:fs/promises'
import { startOtlpReceiver } from '@peyk/test/service/otlp-receiver.ts'
import { copyPreparedFolder } from '@peyk/test/service/prepared-folder.ts'
import { freePort } from '@peyk/test/service/service-process.ts'
import { expect, it, onTestFinished } from 'vitest'
import { makeTestFolder, peyk } from '../peyk-process.test-support.ts'
import { readDemo, Service } from './start.test-support.ts'

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'

async function startTraced(env: Record<string, string>) {
  const folder = await copyPreparedFolder('peyk-traces-')
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))
  const service = new Service({ PEYK_MODE: 'production', PEYK_DATA: folder, PEYK_LOG_LEVEL: 'debug', ...env })
  const baseUrl = await service.baseUrl()
  const { accessToken } = await readDemo(folder)
  const send = (traceparent: string) =>
    fetch(`${baseUrl}/api/push/toUsers`, {
      method: 'POST',
      headers: { 'x-access-token': accessToken, 'content-type': 'application/json', traceparent },
      body: JSON.stringify({ user: 'user-1', content: 'hello' }),
    }).then((answer) => answer.status)
  const readMetric = async (pattern: RegExp) =>
    Number(pattern.exec(await (await fetch(`${baseUrl}/metrics`)).text())?.[1])
  return { service, folder, send, readMetric }
}

it('a service that is stopped sends what it has traced, and its log has the ids', async () => {
  const receiver = await startOtlpReceiver()
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_SERVICE_NAME: 'push', OTEL_BSP_SCHEDULE_DELAY: '60000' }
  const { service, folder, send, readMetric } = await startTraced(env)
  expect(await send(`00-${traceId}-00f067aa0ba902b7-01`)).toBe(200)
  expect(await readMetric(/peyk_trace_spans_waiting (\d+)/)).toBeGreaterThan(0)
  // Before the doctor comes, who may take a while: after a minute they are sent in any case.
  expect(receiver.spans).toEqual([])
  expect((await peyk(['doctor'], { env: { PEYK_DATA: folder, ...env } })).stdout).toContain(
    'the collector takes traces',
  )
  expect(await service.end('SIGTERM')).toBe(0)
  const spans = receiver.spans.filter((span) => span.traceId === traceId)
  expect(spans.map(({ name }) => name)).toEqual(expect.arrayContaining(['POST /api/push/toUsers', 'commit messages']))
  expect(receiver.resources[0]).toMatchObject({ 'service.name': 'push', 'telemetry.sdk.language': 'nodejs' })
  const request = spans.find(({ name }) => name === 'POST /api/push/toUsers')
  const lines = service.output.split('\n').filter((line) => line.includes(traceId))
  expect(lines.map((line) => JSON.parse(line))).toContainEqual(
    expect.objectContaining({
      trace_id: traceId,
      span_id: request?.spanId,
      requestId: request?.attributes['peyk.request_id'],
    }),
  )
})

it('a collector that is away harms nobody', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    ...{ OTEL_BSP_SCHEDULE_DELAY: '10', OTEL_BSP_MAX_QUEUE_SIZE: '20' },
  }
  const { service, send, readMetric } = await startTraced(env)
  for (let round = 0; round < 20; round++)
    expect(await Promise.all(Array.from({ length: 10 }, () => send('')))).toEqual(Array(10).fill(200))
  expect(await readMetric(/peyk_trace_spans_waiting (\d+)/)).toBeLessThanOrEqual(20)
  expect(await readMetric(/peyk_trace_spans_total\{result="dropped"\} (\d+)/)).toBeGreaterThan(100)
  expect(await service.end('SIGTERM')).toBe(0)
  expect(service.output).toContain('the collector does not take traces')
})

it('a service that is told nonsense does not start', async () => {
  const folder = await makeTestFolder('peyk-traces-')
  const env = { PEYK_DATA: folder, OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318', OTEL_TRACES_SAMPLER: 'xray' }
  const refused = await peyk(['start'], { env })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('OTEL_TRACES_SAMPLER is "xray"; expected always_on')
})
