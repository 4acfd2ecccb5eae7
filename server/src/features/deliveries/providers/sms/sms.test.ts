import { describe, expect, it } from 'vitest'
import { readSmsCredentials } from '#features/accounts/credential-formats/sms.ts'
import { optionsFor, rule, startSimulated } from '../simulated.test-support.ts'
import { openSms } from './open-sms.ts'

const gateways = await startSimulated()
const { twilio, generic } = gateways.credentials.sms
const sms = { to: '989121234567', text: 'Your "code" & سلام', reference: 'ref-1' }

const newTwilio = (more = {}) =>
  openSms(readSmsCredentials({ kind: 'twilio', ...twilio, ...more }), optionsFor(gateways))
const newGateway = (more = {}, options = optionsFor(gateways)) => {
  const credentials = {
    kind: 'http',
    method: 'POST',
    url: generic.url,
    headers: { 'X-Api-Key': generic.apiKey },
    body: '{"to":"{{to}}","text":"{{text}}","reference":"{{reference}}"}',
    success: { path: 'status', equals: 'ok' },
    ...more,
  }
  return openSms(readSmsCredentials(credentials), options)
}

const rows = [
  [rule({ status: 429, retryAfter: 3 }), { kind: 'later', retryAfterMs: 3_000 }],
  [rule({ status: 401 }), { kind: 'paused' }],
  [rule({ status: 400 }), { kind: 'refused' }],
  [rule({ status: 500 }), { kind: 'unknown' }],
  [rule({ status: 503, retryAfter: 1 }), { kind: 'unknown' }],
  [rule({ action: 'html' }), { kind: 'unknown' }],
  [rule({ action: 'html', status: 200 }), { kind: 'unknown' }],
  [rule({ action: 'reset' }), { kind: 'unknown' }],
] as const

describe('Twilio', () => {
  it('takes an SMS', async () => {
    expect(await newTwilio().send(sms)).toMatchObject({ kind: 'accepted', detail: expect.stringMatching(/^SM/) })
    expect(gateways.record.list()).toMatchObject([
      { isTaken: true, payload: { to: '+989121234567', from: twilio.from, text: sms.text } },
    ])
  })

  it.each(rows)('is asked once, whatever it does: %j', async (fault, outcome) => {
    gateways.faults.set('sms', [fault])
    expect(await newTwilio().send(sms)).toMatchObject(outcome)
    expect(gateways.record.list()).toHaveLength(1)
  })

  it('refuses what is no phone number', async () => {
    expect(await newTwilio().send({ ...sms, to: '+0' })).toMatchObject({
      kind: 'refused',
      detail: expect.stringContaining('21211'),
    })
  })

  it('tells whether it takes the credentials, without sending anything', async () => {
    expect(await newTwilio().checkCredentials()).toEqual({ kind: 'accepted' })
    const wrong = { kind: 'paused', detail: expect.stringContaining('do not belong together') }
    expect(await newTwilio({ authToken: 'wrong' }).checkCredentials()).toMatchObject(wrong)
    expect(await newTwilio({ authToken: 'wrong' }).send(sms)).toMatchObject(wrong)
    expect(await newTwilio({ from: '+15005550001' }).send(sms)).toMatchObject({ kind: 'paused' })
    expect(gateways.record.countAll().sms.taken).toBe(0)
  })
})

describe('an SMS gateway', () => {
  it('takes an SMS as JSON, as a form and as a query', async () => {
    const query = `${generic.url}?to={{to}}&text={{text}}&reference={{reference}}`
    expect(await newGateway().send(sms)).toEqual({ kind: 'accepted' })
    expect(
      await newGateway({ contentType: 'form', body: 'to={{to}}&text={{text}}&reference={{reference}}' }).send(sms),
    ).toEqual({ kind: 'accepted' })
    expect(await newGateway({ method: 'GET', body: undefined, url: query }).send(sms)).toEqual({ kind: 'accepted' })
    const payload = { to: sms.to, text: sms.text, reference: sms.reference }
    expect(gateways.record.list()).toMatchObject([{ payload }, { payload }, { payload }])
  })

  it.each(rows)('is asked once, whatever it does: %j', async (fault, outcome) => {
    gateways.faults.set('sms', [fault])
    expect(await newGateway().send(sms)).toMatchObject(outcome)
    expect(gateways.record.list()).toHaveLength(1)
  })

  it('is not called inside of our own network', async () => {
    const { endpoints, ...options } = optionsFor(gateways)
    const strict = { ...options, endpoints: { ...endpoints, localOrigins: [] } }
    expect(await newGateway({}, strict).send(sms)).toMatchObject({ kind: 'paused' })
    const inside = newGateway({ url: 'https://127.0.0.1:8443/send' }, strict)
    expect(await inside.send(sms)).toMatchObject({ kind: 'paused', detail: expect.stringContaining('public internet') })
    expect(await inside.checkCredentials()).toMatchObject({ kind: 'paused' })
    expect(gateways.record.list()).toEqual([])
  })

  it('says that only a real SMS would prove its credentials', async () => {
    expect(await newGateway().checkCredentials()).toMatchObject({
      kind: 'accepted',
      detail: expect.stringContaining('not asked'),
    })
  })
})
