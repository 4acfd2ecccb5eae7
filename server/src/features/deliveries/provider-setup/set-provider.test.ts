import type { FaultRule } from '@peyk/simulator/providers/fault-rule.ts'
import { createProviderKeys } from '@peyk/simulator/providers/keys.ts'
import { startProviders } from '@peyk/simulator/providers/start-providers.ts'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { externalOf } from '@peyk/test/delivery.ts'
import { pino } from 'pino'
import sql from 'sql-template-tag'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { listAlerts } from '../../accounts/alerts/list-alerts.ts'
import { makeApnsKey, makeServiceAccount } from '../../accounts/providers/credentials.test-support.ts'
import { findCredentials } from '../../accounts/providers/find-credentials.ts'
import { listProviders } from '../../accounts/providers/list-providers.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { readCredentials } from '../../accounts/providers/read-credentials.ts'
import { recordCheck } from '../../accounts/providers/record-check.ts'
import { resealCredentials } from '../../accounts/providers/reseal-credentials.ts'
import { setCredentials } from '../../accounts/providers/set-credentials.ts'
import type { CredentialProvider } from '../../accounts/providers/stored-provider.ts'
import { askProvider } from './ask-provider.ts'
import { checkProvider } from './check-provider.ts'
import { setProvider } from './set-provider.ts'

const providers = await startProviders({ keys: await createProviderKeys() })
afterAll(() => providers.close())
afterEach(() => providers.faults.clear())
const store = await createTestStore()
const external = externalOf(providers)

const fcm = { ...providers.credentials.fcm, simulated: true }
const { key: privateKey, ...appleKey } = providers.credentials.apns
const apns = { ...appleKey, privateKey, simulated: true }
const twilio = { kind: 'twilio', ...providers.credentials.sms.twilio, simulated: true }

const createApp = () => createTestApp(store, { external })

/** What the examination finds wrong; nothing may have been stored then. */
async function findWrong(provider: CredentialProvider, sent: object) {
  const ctx = await createApp()
  const error = await setProvider(ctx, { provider, sent }).then(
    () => undefined,
    (reason) => reason,
  )
  expect(await findCredentials(ctx, { provider })).toBeUndefined()
  expect(error).toMatchObject({ code: 'credentials-refused', message: expect.stringMatching(/^Nothing was stored\. /) })
  const wrong = error.details.findings.filter(({ ok }: { ok: boolean }) => !ok)
  expect(wrong).toHaveLength(1)
  return wrong[0].text as string
}

it('credentials that cannot be read are told by a code, for the languages of the panel', async () => {
  const sent = { ...apns, keyId: 'short' }
  await expect(setProvider(await createApp(), { provider: 'apns', sent })).rejects.toMatchObject({
    code: 'invalid-request',
    details: { findings: [{ ok: false, code: 'field-form', values: { field: 'keyId' } }] },
  })
})

describe('credentials that the provider takes', () => {
  it.each([
    ['fcm', fcm, 'Google accepts the credentials.'],
    ['apns', apns, 'Apple accepts the credentials.'],
    ['sms', twilio, 'The SMS gateway accepts the credentials.'],
  ] as const)('are stored: %s', async (provider, sent, text) => {
    const ctx = await createApp()
    const answer = await setProvider(ctx, { provider, sent })
    expect(answer).toMatchObject({ provider, simulated: true })
    expect(answer).not.toHaveProperty('warning')
    expect(answer.findings.every(({ ok }) => ok)).toBe(true)
    expect(answer.findings.at(-1)).toMatchObject({ ok: true, text })
    expect(await checkProvider(ctx, { provider })).toEqual({ ok: true, findings: answer.findings })
    expect(providers.record.list({ provider }).filter(({ isTaken }) => isTaken)).toEqual([])
  })

  it('resume a paused provider', async () => {
    const ctx = await createApp()
    await setProvider(ctx, { provider: 'fcm', sent: fcm })
    await pauseProvider(ctx, { provider: 'fcm', reason: 'FCM 401' })
    expect((await checkProvider(ctx, { provider: 'fcm' })).findings.at(-1)).toMatchObject({
      ok: false,
      text: 'It is paused: FCM 401. Resume it when the cause is fixed.',
    })
    await setProvider(ctx, { provider: 'fcm', sent: fcm })
    expect((await findCredentials(ctx, { provider: 'fcm' }))?.paused).toBeUndefined()
    expect(await listAlerts(ctx)).toEqual([])
  })
})

describe('what came of a check', () => {
  const checkOf = async (ctx: Context, provider: CredentialProvider) =>
    (await listProviders(ctx, { providers: [provider] }))[0]?.check
  const away = { ...external, simulated: { ...external.simulated, fcm: 'http://127.0.0.1:9' } } as typeof external

  it('is kept with the credentials, and new ones begin without it', async () => {
    const ctx = await createApp()
    const { check } = await setProvider(ctx, { provider: 'fcm', sent: fcm })
    expect(check).toEqual({ at: expect.any(Number), result: 'taken', finding: expect.objectContaining({ ok: true }) })
    expect(await checkOf(ctx, 'fcm')).toEqual(check)
    const { credentials } = readCredentials('fcm', fcm, undefined)
    await setCredentials(ctx, { provider: 'fcm', credentials, isSimulated: true })
    expect(await checkOf(ctx, 'fcm')).toBeUndefined()
    await checkProvider(ctx, { provider: 'fcm' })
    expect(await checkOf(ctx, 'fcm')).toMatchObject({ result: 'taken' })
  })

  it('is void for credentials that an earlier version set, which knows nothing of it', async () => {
    const ctx = await createApp()
    await setProvider(ctx, { provider: 'fcm', sent: fcm })
    await store.query(sql`update provider_credentials set sealed = sealed || '\\x00' where app_id = ${ctx.app.id}`)
    expect(await checkOf(ctx, 'fcm')).toBeUndefined()
  })

  it('of credentials that were replaced meanwhile is not kept', async () => {
    const ctx = await createApp()
    await setProvider(ctx, { provider: 'fcm', sent: fcm })
    const old = (await findCredentials(ctx, { provider: 'fcm' }))?.version as string
    const { check } = await setProvider(ctx, { provider: 'fcm', sent: fcm })
    const late = { result: 'refused', finding: { ok: false, text: 'late' } } as const
    await recordCheck(ctx, { provider: 'fcm', version: old, check: late })
    expect(await checkOf(ctx, 'fcm')).toEqual(check)
  })

  it('says why a provider was not reached, which is no refusal', async () => {
    const ctx = { ...(await createApp()), external: away }
    const { check, warningCode } = await setProvider(ctx, { provider: 'fcm', sent: fcm })
    expect(warningCode).toBe('stored-unasked')
    expect(check).toMatchObject({
      result: 'unreached',
      finding: { code: 'unasked', values: { fault: 'connection-refused' } },
    })
    expect(check?.finding.text).toBe('Google could not be reached: connection refused.')
    expect(await checkProvider(ctx, { provider: 'fcm' })).toMatchObject({ ok: false, warningCode: 'unasked' })
    expect(await checkProvider({ ...ctx, external }, { provider: 'fcm' })).toMatchObject({ ok: true })
    expect(await checkOf(ctx, 'fcm')).toMatchObject({ result: 'taken' })
  })

  it('keeps credentials that work from being replaced by ones that could not be checked', async () => {
    const ctx = await createApp()
    const { check } = await setProvider(ctx, { provider: 'fcm', sent: fcm })
    const later = { ...ctx, external: away }
    await expect(setProvider(later, { provider: 'fcm', sent: fcm })).rejects.toMatchObject({
      code: 'credentials-unchecked',
      details: { findings: expect.arrayContaining([expect.objectContaining({ code: 'unasked' })]) },
    })
    expect(await checkOf(ctx, 'fcm')).toEqual(check)
    const { warningCode } = await setProvider(later, { provider: 'fcm', sent: { ...fcm, force: true } })
    expect(warningCode).toBe('stored-unasked')
    // What was never seen to work is replaced without a question.
    expect(await setProvider(later, { provider: 'fcm', sent: fcm })).toMatchObject({ warningCode: 'stored-unasked' })
  })

  it('says that the provider refused what was stored by force', async () => {
    const ctx = await createApp()
    const { private_key } = makeServiceAccount()
    const { check } = await setProvider(ctx, { provider: 'fcm', sent: { ...fcm, private_key, force: true } })
    expect(check).toMatchObject({ result: 'refused', finding: { code: 'not-taken' } })
  })

  it('is missing where nobody can be asked; a gateway whose name is unknown was not reached', async () => {
    const ctx = await createApp()
    const gateway = {
      kind: 'http',
      method: 'POST',
      contentType: 'json',
      dailyLimit: 5,
      body: '{"to":"{{to}}","text":"{{text}}"}',
    }
    const local = new URL(providers.credentials.sms.generic.url).origin
    const here = await setProvider(ctx, { provider: 'sms', sent: { ...gateway, url: `${local}/sms`, simulated: true } })
    expect(here).not.toHaveProperty('check')
    const { check } = await setProvider(ctx, { provider: 'sms', sent: { ...gateway, url: 'https://sms.invalid/send' } })
    expect(check).toMatchObject({ result: 'unreached', finding: { values: { fault: 'name-not-found' } } })
  })

  it('stays when secrets are sealed anew', async () => {
    const ctx = await createApp()
    const { check } = await setProvider(ctx, { provider: 'fcm', sent: fcm })
    await resealCredentials(ctx)
    expect(await checkOf(ctx, 'fcm')).toEqual(check)
  })
})

describe('the examination says what is wrong with', () => {
  it('a key of another service account', async () => {
    const { private_key } = makeServiceAccount()
    expect(await findWrong('fcm', { ...fcm, private_key })).toContain('the key was deleted in the Google Cloud console')
  })

  it('a service account that is gone', async () => {
    const text = await findWrong('fcm', { ...fcm, client_email: 'gone@x.iam.gserviceaccount.com' })
    expect(text).toContain('the service account was deleted')
  })

  it('a token_uri that is not Google’s', async () => {
    expect(await findWrong('fcm', { ...fcm, token_uri: 'https://evil.example/token' })).toContain('token_uri')
  })

  it('another project', async () => {
    expect(await findWrong('fcm', { ...fcm, project_id: 'another-project' })).toMatch(
      /^Google refuses the credentials: /,
    )
  })

  it('a project without the API', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'SERVICE_DISABLED' }]
    const body = JSON.stringify({ error: { code: 403, status: 'PERMISSION_DENIED', message: 'disabled', details } })
    providers.faults.set('fcm', [{ status: 403, body }])
    expect(await findWrong('fcm', fcm)).toContain('the Firebase Cloud Messaging API is not enabled in this project')
  })

  it('an access token that is refused again and again', async () => {
    providers.faults.set('fcm', [{ status: 401 }])
    expect(await findWrong('fcm', fcm)).toContain('FCM 401')
  })

  it('a key, key id or team of somebody else', async () => {
    for (const change of [
      { privateKey: makeApnsKey().privateKey },
      { keyId: 'ABCDEFGHIJ' },
      { teamId: 'ABCDEFGHIJ' },
    ]) {
      expect(await findWrong('apns', { ...apns, ...change })).toContain(
        'the key id, the team id and the .p8 key do not belong together',
      )
    }
  })

  it('another bundle id', async () => {
    expect(await findWrong('apns', { ...apns, bundleId: 'com.example.other' })).toContain('is the bundle id right?')
  })

  it('the other environment', async () => {
    providers.faults.set('apns', [{ status: 403, reason: 'BadEnvironmentKeyIdInToken' }])
    expect(await findWrong('apns', apns)).toContain('the key is for the other environment')
  })

  it('an Auth Token', async () => {
    const authToken = '0'.repeat(32)
    const text = await findWrong('sms', { ...twilio, authToken })
    expect(text).toMatch(/^The SMS gateway refuses the credentials: /)
    expect(text).not.toContain(authToken)
  })
})

describe('credentials that could not be checked', () => {
  it.each([
    ['fcm', 'oauth', { status: 503 }],
    ['fcm', 'fcm', { status: 429, retryAfter: 30 }],
    ['fcm', 'fcm', { status: 502, body: '<html>Bad Gateway</html>' }],
    ['apns', 'apns', { status: 500 }],
    ['apns', 'apns', { status: 429, reason: 'TooManyProviderTokenUpdates' }],
    ['sms', 'sms', { status: 503 }],
  ] as const)('are stored with a warning: %s when %s has %j', async (provider, target, rule) => {
    const ctx = await createApp()
    providers.faults.set(target, [rule])
    const answer = await setProvider(ctx, { provider, sent: { fcm, apns, sms: twilio }[provider] })
    expect(answer.warning).toContain('could not be asked')
    expect(answer.findings.at(-1)).toMatchObject({ ok: false, text: expect.stringContaining('could not be asked: ') })
    expect((await findCredentials(ctx, { provider }))?.credentials).toBeDefined()
    expect(await checkProvider(ctx, { provider })).toMatchObject({ ok: false, warning: expect.any(String) })
    providers.faults.clear()
    expect(await checkProvider(ctx, { provider })).toMatchObject({ ok: true })
  })
})

describe('a provider that never answers', () => {
  it.each([
    ['fcm', fcm],
    ['apns', apns],
    ['sms', twilio],
  ] as const)('is not waited for without end: %s', async (provider, sent) => {
    const hanging: FaultRule = JSON.parse('{ "then": "hang" }')
    providers.faults.set(provider, [hanging])
    const { credentials } = readCredentials(provider, sent, undefined)
    const asked = { provider, credentials, isSimulated: true }
    expect(await askProvider(await createApp(), asked, 50)).toEqual({
      kind: 'unknown',
      detail: 'no answer within 0.05 s',
    })
  })
})

describe('credentials that the provider does not take', () => {
  it('are stored by force, and the answer says so', async () => {
    const ctx = await createApp()
    const answer = await setProvider(ctx, { provider: 'apns', sent: { ...apns, teamId: 'ABCDEFGHIJ', force: true } })
    expect(answer.warning).toContain('because force was given')
    expect(await checkProvider(ctx, { provider: 'apns' })).toMatchObject({ ok: false })
  })

  it('leave those that were there', async () => {
    const ctx = await createApp()
    await setProvider(ctx, { provider: 'apns', sent: apns })
    const before = await findCredentials(ctx, { provider: 'apns' })
    await expect(setProvider(ctx, { provider: 'apns', sent: { ...apns, teamId: 'ABCDEFGHIJ' } })).rejects.toThrow()
    expect(await findCredentials(ctx, { provider: 'apns' })).toEqual(before)
  })
})

describe('a secret', () => {
  it('is in no log, no answer and no table', async () => {
    let written = ''
    const log = pino(
      { level: 'trace' },
      {
        write(line: string) {
          written += line
        },
      },
    )
    const ctx = { ...(await createApp()), log }
    for (const [provider, sent] of [
      ['fcm', fcm],
      ['apns', apns],
      ['sms', twilio],
    ] as const) {
      written += JSON.stringify(await setProvider(ctx, { provider, sent }))
      providers.faults.set(provider, [{ status: 403 }])
      const refused = await setProvider(ctx, { provider, sent }).catch((error) => [error.message, error.details])
      written += JSON.stringify([refused, await checkProvider(ctx, { provider })])
      await pauseProvider(ctx, { provider, reason: 'refused' })
    }
    const [row] = await store.query<{ all: string }>(sql`
      select (select string_agg(c::text, ' ') from provider_credentials c) || (select string_agg(t::text, ' ') from apns_tokens t)
        || (select string_agg(a::text, ' ') from alerts a) as all`)
    const lines = (pem: string) => pem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'))
    const secrets = [...lines(fcm.private_key), ...lines(privateKey), twilio.authToken]
    for (const secret of secrets) {
      expect(written).not.toContain(secret)
      expect(row?.all).not.toContain(secret)
    }
  })
})
