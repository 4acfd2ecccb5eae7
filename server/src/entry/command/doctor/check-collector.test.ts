import { startOtlpReceiver } from '@peyk/test/service/otlp-receiver.ts'
import { expect, it } from 'vitest'
import { loadConfig } from '#base/config.ts'
import { checkCollector } from './check-collector.ts'

it('says whether the collector takes traces, when there is one, and sends it none', async () => {
  expect(await checkCollector({ traces: undefined })).toEqual([])
  const receiver = await startOtlpReceiver()
  const config = loadConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: 'x-key=hunter2' })
  expect(await checkCollector(config)).toMatchObject([{ state: 'ok', code: 'collector' }])
  expect(receiver.spans).toEqual([])
  receiver.answers.push({ status: 401 })
  const refused = await checkCollector(config)
  expect(refused).toMatchObject([
    { state: 'fault', code: 'collector-unreachable', text: expect.stringContaining('401') },
  ])
  expect(JSON.stringify(refused)).not.toContain('hunter2')
  await receiver.close()
  expect(await checkCollector(config)).toMatchObject([{ code: 'collector-unreachable' }])
})
