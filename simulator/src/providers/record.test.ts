import { poll } from '@peyk/test/runner/poll.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { ask, fetchAccessToken, openSession, startTestProviders } from './providers.test-support.ts'
import type { Providers } from './start-providers.ts'

let providers: Providers
let send: (token: string, messageId: string) => Promise<number>

beforeAll(async () => {
  providers = await startTestProviders({ recordSize: 5 })
  const session = openSession(providers, providers.fcmUrl)
  const headers = { authorization: `Bearer ${await fetchAccessToken(providers)}` }
  const path = `/v1/projects/${providers.credentials.fcm.project_id}/messages:send`
  send = async (token, messageId) =>
    (await ask(session, path, headers, JSON.stringify({ message: { token, data: { messageId } } }))).status
})
afterAll(() => providers.close())
beforeEach(() => {
  providers.record.mode = 'all'
  providers.record.clear()
})

describe('the record', () => {
  it('keeps the newest, in order', async () => {
    const token = providers.tokens.issue('fcm')
    for (let n = 1; n <= 8; n++) await send(token, `m${n}`)
    expect(providers.record.list().map(({ no, messageId }) => [no, messageId])).toEqual([
      [4, 'm4'],
      [5, 'm5'],
      [6, 'm6'],
      [7, 'm7'],
      [8, 'm8'],
    ])
    expect(providers.record.countAll().fcm).toEqual({ received: 8, taken: 8, byStatus: { 200: 8 } })
  })

  it('is asked by provider and by message', async () => {
    const token = providers.tokens.issue('fcm')
    await send(token, 'm1')
    await send(token, 'm2')
    expect(providers.record.list({ provider: 'apns' })).toEqual([])
    expect(providers.record.list({ provider: 'fcm', messageId: 'm2' }).length).toBe(1)
    expect(providers.record.list()[0]?.headers).toMatchObject({ ':method': 'POST', authorization: expect.any(String) })
  })

  it('is written before the answer goes out', async () => {
    const token = providers.tokens.issue('fcm')
    providers.faults.set('fcm', [{ delayMs: 200 }])
    const answer = send(token, 'm1')
    await poll(() => providers.record.list().length, { interval: 5 }).toBe(1)
    const isFirst = await Promise.race([answer.then(() => false), Promise.resolve(true)])
    expect(isFirst).toBe(true)
    expect(await answer).toBe(200)
    providers.faults.clear()
  })

  it('finds what came to one device twice', async () => {
    const [one, other] = [providers.tokens.issue('fcm'), providers.tokens.issue('fcm')]
    await send(one, 'm1')
    await send(other, 'm1')
    await send(one, 'm2')
    expect(providers.record.listDuplicates()).toEqual([])
    providers.faults.set('fcm', [{ status: 503 }])
    await send(one, 'm1')
    providers.faults.clear()
    expect(providers.record.listDuplicates()).toEqual([
      { provider: 'fcm', messageId: 'm1', token: one, received: 2, taken: 1 },
    ])
  })

  it('counts only, or does nothing, when told so; pushes are handed over all the same', async () => {
    const token = providers.tokens.issue('fcm')
    let taken = 0
    const stop = providers.onTaken(() => taken++)
    providers.record.mode = 'count'
    await send(token, 'm1')
    await send('nonsense', 'm1')
    expect(providers.record.list()).toEqual([])
    expect(providers.record.countAll().fcm).toEqual({ received: 2, taken: 1, byStatus: { 200: 1, 400: 1 } })
    providers.record.mode = 'none'
    await send(token, 'm1')
    expect(providers.record.countAll().fcm.received).toBe(2)
    stop()
    await send(token, 'm1')
    expect(taken).toBe(2)
  })
})
