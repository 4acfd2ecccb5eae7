import { request } from 'node:http'
import { createTestToken } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import { expect, test } from 'vitest'
import { trackEvent } from '#features/events/track/track-event.ts'

const options = { env: { PEYK_TEST_DURATIONS: JSON.stringify({ streamLagMs: 1, heartbeatMs: 50 }) } }
const { baseUrl, ctx, token, clientKey } = await createTestServer(options)
const stopping = await createTestServer(options)

const ask = (query: string, accessToken = token) =>
  fetch(`${baseUrl}/api/stream?${query}`, { headers: { 'x-access-token': accessToken } })

test('lines are NDJSON, for tokens that may read', async () => {
  await trackEvent(ctx, { userId: 'sara', eventName: 'Open' })
  for (const allowed of [token, await createTestToken(ctx, ['read'])]) {
    const response = await ask('from=0', allowed)
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
    const lines = (await response.text()).trimEnd().split('\n')
    const parts = lines
      .map((line) => JSON.parse(line))
      .filter(({ type, userId }) => type === 'end' || userId === 'sara')
    expect(parts.map(({ type }) => type)).toEqual(['event', 'end'])
  }
  for (const refused of [clientKey, await createTestToken(ctx, ['events', 'push'])])
    expect((await ask('from=0', refused)).status).toBe(403)
  const wrong = await ask('cursor=x')
  expect([wrong.status, await wrong.json()]).toMatchObject([400, { error: { code: 'invalid-request' } }])
})

test('exports are files in the form that is asked for, and no cell is a formula', async () => {
  await trackEvent(ctx, { userId: '=1+1', eventName: 'Sum', eventData: { sku: 'A,1' } })
  const get = (path: string) => fetch(`${baseUrl}/api/exports/${path}`, { headers: { 'x-access-token': token } })
  const csv = await get('events')
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(csv.headers.get('content-disposition')).toContain(`filename="events-${ctx.app.label}.csv"`)
  expect(await csv.text()).toMatch(/,Sum,[^,]+,'=1\+1,,,,"{""sku"":""A,1""}",\r\n$/)
  const lines = await get('events?format=ndjson')
  expect(lines.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8')
  const last = JSON.parse((await lines.text()).trimEnd().split('\n').at(-1) as string)
  expect(last).toMatchObject({ userId: '=1+1', eventName: 'Sum', eventData: { sku: 'A,1' } })
  expect(await (await get('users?format=ndjson')).text()).toContain('"userId":"=1+1"')
  expect((await get('deliveries?messageId=nothing')).status).toBe(404)
  expect((await get('users?format=xml')).status).toBe(400)
})

test('whoever goes gives the place back to others', async () => {
  const leave = await Promise.all([1, 2, 3, 4].map(() => openOne()))
  expect((await ask('from=0')).status).toBe(429)
  for (const each of leave) each()
  await until(
    async () => {
      const response = await ask('from=0')
      await response.text()
      return response.status
    },
    (status) => status === 200,
  )
})

/** Answers how to break it off. */
function openOne(): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const asked = request(`${baseUrl}/api/stream?follow=true`, { headers: { 'x-access-token': token } }, (response) => {
      response.on('error', () => undefined)
      response.once('data', () => resolve(() => asked.destroy()))
    })
    asked.on('error', reject)
    asked.end()
  })
}

test('a stop of the service ends it properly', async () => {
  const { baseUrl: url, token: key, server } = stopping
  const response = await fetch(`${url}/api/stream?follow=true`, { headers: { 'x-access-token': key } })
  const [text] = await Promise.all([response.text(), server.close()])
  expect(JSON.parse(text.trimEnd().split('\n').at(-1) as string)).toMatchObject({ type: 'end' })
})
