import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestProviders } from '../providers.test-support.ts'
import type { Providers } from '../start-providers.ts'

let providers: Providers

beforeAll(async () => {
  providers = await startTestProviders()
})
afterAll(() => providers.close())

describe("Twilio's API", () => {
  const send = (form: Record<string, string>, { sid, password }: { sid?: string; password?: string } = {}) => {
    const { accountSid, authToken } = providers.credentials.sms.twilio
    const basic = Buffer.from(`${accountSid}:${password ?? authToken}`).toString('base64')
    return fetch(`${providers.smsUrl}/2010-04-01/Accounts/${sid ?? accountSid}/Messages.json`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}` },
      body: new URLSearchParams(form),
    })
  }
  const full = () => ({ To: '+491701234567', From: providers.credentials.sms.twilio.from, Body: 'سلام' })

  it('takes a message and records it', async () => {
    const answer = await send(full())
    expect(answer.status).toBe(201)
    const message = (await answer.json()) as { sid: string }
    expect(message).toMatchObject({ status: 'queued', to: '+491701234567', body: 'سلام', error_code: null })
    expect(message.sid).toMatch(/^SM[0-9a-f]{32}$/)
    expect(providers.record.list().at(-1)).toMatchObject({
      provider: 'sms',
      token: '+491701234567',
      payload: { to: '+491701234567', text: 'سلام' },
      isTaken: true,
    })
  })

  it.each<[string, object, number]>([
    ['no To', { To: '' }, 21604],
    ['a To that is no number', { To: 'somebody' }, 21211],
    ['another From', { From: '+15550001111' }, 21606],
    ['no Body', { Body: '' }, 21602],
    ['a Body of 1601 characters', { Body: 'x'.repeat(1601) }, 21617],
  ])('refuses %s', async (_what, part, code) => {
    const answer = await send({ ...full(), ...part })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ code, status: 400, more_info: expect.stringContaining(String(code)) })
  })

  it('refuses a wrong password and does not know other accounts', async () => {
    const wrong = await send(full(), { password: 'x' })
    expect([wrong.status, ((await wrong.json()) as { code: number }).code]).toEqual([401, 20003])
    expect((await send(full(), { sid: 'AC0' })).status).toBe(404)
  })

  it('refuses a number that wants no more', async () => {
    providers.tokens.kill('sms', '+491700000000')
    expect(await (await send({ ...full(), To: '+491700000000' })).json()).toMatchObject({ code: 21610 })
  })

  it('answers faults with its own codes', async () => {
    providers.faults.set('sms', [
      { match: { first: 1 }, status: 503, retryAfter: 3 },
      { match: { first: 1 }, reason: '21610' },
    ])
    const unavailable = await send(full())
    expect([unavailable.status, unavailable.headers.get('retry-after')]).toEqual([503, '3'])
    expect(await (await send(full())).json()).toMatchObject({ code: 21610, status: 400 })
    expect((await send(full())).status).toBe(201)
    providers.faults.clear()
  })
})

describe('the generic gateway', () => {
  const url = () => providers.credentials.sms.generic.url
  const sms = { to: '491701234567', text: 'Hello & goodbye', reference: 'm7' }
  const withKey = () => ({ authorization: `Bearer ${providers.credentials.sms.generic.apiKey}` })
  const json = () => ({ ...withKey(), 'content-type': 'application/json' })

  it('takes JSON, a form, and a query', async () => {
    const { apiKey } = providers.credentials.sms.generic
    const thrice = { ...sms, reference: 'm8' }
    const answers = [
      await fetch(url(), { method: 'POST', headers: json(), body: JSON.stringify(thrice) }),
      await fetch(url(), { method: 'POST', headers: withKey(), body: new URLSearchParams(thrice) }),
      await fetch(`${url()}?${new URLSearchParams({ ...thrice, apiKey })}`),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await answers[0]?.json()).toMatchObject({ status: 'ok', id: expect.any(String) })
    const recorded = providers.record.list({ messageId: 'm8' }).map(({ payload }) => payload)
    expect(recorded).toMatchObject([thrice, thrice, thrice])
    const duplicates = providers.record.listDuplicates().filter(({ messageId }) => messageId === 'm8')
    expect(duplicates).toMatchObject([{ token: sms.to, received: 3, taken: 3 }])
  })

  it.each<[number, object]>([
    [400, { to: 'nobody' }],
    [400, { text: '' }],
  ])('answers %i to %j', async (status, part) => {
    const answer = await fetch(url(), { method: 'POST', headers: json(), body: JSON.stringify({ ...sms, ...part }) })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ status: 'error' })
  })

  it('wants its key', async () => {
    expect((await fetch(url(), { method: 'POST', body: new URLSearchParams(sms) })).status).toBe(401)
  })

  it('knows nothing else', async () => {
    expect((await fetch(`${providers.smsUrl}/sms/sent`)).status).toBe(404)
    expect((await fetch(url(), { method: 'DELETE' })).status).toBe(404)
  })
})
