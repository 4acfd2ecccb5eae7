import { randomBytes } from 'node:crypto'
import { createTestApp, createTestStore, testExternal } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { describe, expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { realEndpoints } from '#base/external.ts'
import { listAlerts } from '../alerts/list-alerts.ts'
import { createWebPushCredentials } from '../credential-formats/web-push.ts'
import { externalWith, makeApnsKey, makeServiceAccount, twilio } from './credentials.test-support.ts'
import { findCredentials } from './find-credentials.ts'
import { getPublicKey } from './get-public-key.ts'
import { liftPause } from './lift-pause.ts'
import { listCredentials } from './list-credentials.ts'
import { listProviders } from './list-providers.ts'
import { pauseProvider } from './pause-provider.ts'
import { readCredentials } from './read-credentials.ts'
import { removeProvider } from './remove-provider.ts'
import { resealCredentials } from './reseal-credentials.ts'
import { setCredentials } from './set-credentials.ts'
import type { CredentialProvider } from './stored-provider.ts'

const store = await createTestStore()

async function set(ctx: Context, provider: CredentialProvider, sent: object, isSimulated = false) {
  const { credentials } = readCredentials(provider, sent, undefined)
  await setCredentials(ctx, { provider, credentials, isSimulated })
  return credentials
}

describe('stored credentials', () => {
  it('are given back as they were set, and nowhere in the tables as they are', async () => {
    const ctx = await createTestApp(store)
    const [account, key, pair] = [makeServiceAccount(), makeApnsKey(), createWebPushCredentials('mailto:a@b.example')]
    const fcm = await set(ctx, 'fcm', account)
    await set(ctx, 'apns', key)
    await set(ctx, 'webpush', pair)
    await set(ctx, 'sms', twilio)

    expect((await findCredentials(ctx, { provider: 'fcm' }))?.credentials).toEqual(fcm)
    expect((await findCredentials(ctx, { provider: 'webpush' }))?.credentials).toEqual(pair)
    expect((await findCredentials(ctx, { provider: 'sms' }))?.credentials).toMatchObject({
      authToken: twilio.authToken,
    })
    const listed = JSON.stringify(await listProviders(ctx))
    const [row] = await store.query<{ rows: string; bytes: Buffer }>(sql`
      select string_agg(c::text, ' ') as rows, string_agg(sealed, '') as bytes from provider_credentials c
      where app_id = ${ctx.app.id}`)
    const bytes = row?.bytes.toString('latin1') ?? ''
    const secretsOfPem = (pem: string) => pem.split('\n').filter((line) => line.length > 20 && !line.startsWith('-'))
    const secrets = [
      ...secretsOfPem(account.private_key),
      ...secretsOfPem(key.privateKey),
      pair.privateKey,
      twilio.authToken,
    ]
    for (const secret of secrets) {
      expect(row?.rows).not.toContain(secret)
      expect(row?.rows).not.toContain(Buffer.from(secret).toString('hex'))
      expect(bytes).not.toContain(secret)
      expect(listed).not.toContain(secret)
    }
    expect(listed).toContain('shop-1a2b3')
  })

  it('are listed with what is no secret', async () => {
    const ctx = await createTestApp(store, { at: () => new Date('2026-11-15T10:00:00Z') })
    await set(ctx, 'apns', makeApnsKey())
    expect(await listProviders(ctx)).toEqual([
      {
        provider: 'apns',
        simulated: false,
        setAt: Date.parse('2026-11-15T10:00:00Z'),
        shown: { keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', bundleId: 'com.example.shop', environment: 'production' },
      },
    ])
  })

  it('belong to one app', async () => {
    const [mine, theirs] = [await createTestApp(store), await createTestApp(store)]
    await set(mine, 'fcm', makeServiceAccount())
    expect(await findCredentials(theirs, { provider: 'fcm' })).toBeUndefined()
    expect(await listProviders(theirs)).toEqual([])
    await expect(removeProvider(theirs, { provider: 'fcm' })).rejects.toMatchObject({ code: 'not-found' })
    await expect(liftPause(theirs, { provider: 'fcm' })).rejects.toMatchObject({ code: 'not-found' })
    expect(await pauseProvider(theirs, { provider: 'fcm', reason: 'x' })).toEqual({ isNew: false })
    expect((await findCredentials(mine, { provider: 'fcm' }))?.paused).toBeUndefined()
  })

  it('have another version each time they are set', async () => {
    const ctx = await createTestApp(store)
    const account = makeServiceAccount()
    const versions = new Set<string | undefined>()
    for (let time = 0; time < 3; time++) {
      await set(ctx, 'fcm', account)
      versions.add((await findCredentials(ctx, { provider: 'fcm' }))?.version)
    }
    expect(versions.size).toBe(3)
  })

  it('are not set over what was set in between', async () => {
    const ctx = await createTestApp(store)
    const pairs = Array.from({ length: 5 }, () => createWebPushCredentials('mailto:a@b.example'))
    const results = await Promise.allSettled(
      pairs.map((credentials) =>
        setCredentials(ctx, { provider: 'webpush', credentials, isSimulated: false, replacing: null }),
      ),
    )
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    const won = pairs[results.findIndex(({ status }) => status === 'fulfilled')]
    expect(await getPublicKey(ctx)).toEqual({ publicKey: won?.publicKey })
  })

  it('are removed; those of web push only by force', async () => {
    const ctx = await createTestApp(store)
    await set(ctx, 'sms', twilio)
    await set(ctx, 'webpush', createWebPushCredentials('mailto:a@b.example'))
    expect(await removeProvider(ctx, { provider: 'sms' })).toEqual({ provider: 'sms' })
    await expect(removeProvider(ctx, { provider: 'webpush' })).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('ends every web push subscription of this app'),
    })
    await removeProvider(ctx, { provider: 'webpush', force: true })
    expect(await listProviders(ctx)).toEqual([])
    await expect(getPublicKey(ctx)).rejects.toMatchObject({ code: 'not-found' })
  })

  it('of the simulator are taken and used only where there is one', async () => {
    const ctx = await createTestApp(store)
    await expect(set(ctx, 'sms', twilio, true)).rejects.toMatchObject({
      code: 'invalid-request',
      message: expect.stringContaining('no simulator'),
    })
    const withSimulator = { ...ctx, external: { ...testExternal, simulated: realEndpoints } }
    await set(withSimulator, 'sms', twilio, true)
    expect((await findCredentials(withSimulator, { provider: 'sms' }))?.paused).toBeUndefined()
    const [stored] = await listCredentials(ctx, { appIds: [ctx.app.id] })
    expect(stored).toMatchObject({ credentials: undefined, paused: { reason: expect.stringContaining('simulator') } })
  })
})

describe('a key that is not here', () => {
  it('pauses that provider with a reason, and no other app', async () => {
    const [oldKey, newKey] = [randomBytes(32), randomBytes(32)]
    const mine = await createTestApp(store, { external: externalWith(oldKey) })
    const theirs = await createTestApp(store, { external: externalWith(newKey) })
    await set(mine, 'sms', twilio)
    await set(theirs, 'sms', twilio)
    const ctx = { ...theirs, external: externalWith(newKey) }
    for (let time = 0; time < 2; time++) {
      expect(await listCredentials(ctx, { appIds: [mine.app.id, theirs.app.id] })).toMatchObject([
        {
          appId: mine.app.id,
          credentials: undefined,
          paused: { reason: expect.stringContaining('sealed with another key') },
        },
        { appId: theirs.app.id, credentials: { authToken: twilio.authToken }, paused: undefined },
      ])
    }
    expect(await listAlerts(mine)).toMatchObject([{ kind: 'credentials-unreadable', subject: 'sms' }])
    expect(await listAlerts(theirs)).toEqual([])
    expect((await listProviders({ ...mine, external: externalWith(newKey) }))[0]?.paused?.reason).toContain(
      'PEYK_SECRET_KEY',
    )

    const both = externalWith(newKey, oldKey)
    expect((await findCredentials({ ...mine, external: both }, { provider: 'sms' }))?.paused).toBeUndefined()
    const resealed = await resealCredentials({ ...ctx, external: both })
    expect(resealed.count).toBeGreaterThanOrEqual(2)
    expect(await listCredentials(ctx, { appIds: [mine.app.id] })).toMatchObject([{ paused: undefined }])
    expect(await listAlerts(mine)).toEqual([])
  })

  it('is named when secrets are sealed anew, and what it sealed stays', async () => {
    const ctx = await createTestApp(store, { external: externalWith(randomBytes(32)) })
    await set(ctx, 'sms', twilio)
    const { unreadable } = await resealCredentials({ ...ctx, external: externalWith(randomBytes(32)) })
    expect(unreadable).toContain(`the sms credentials of the app ${ctx.app.label}`)
    expect((await findCredentials(ctx, { provider: 'sms' }))?.credentials).toMatchObject({ kind: 'twilio' })
  })

  it('is not all that makes them unreadable: a changed byte does too', async () => {
    const ctx = await createTestApp(store)
    await set(ctx, 'sms', twilio)
    await store.query(sql`
      update provider_credentials set sealed = set_byte(sealed, length(sealed) - 1, get_byte(sealed, length(sealed) - 1) # 1)
      where app_id = ${ctx.app.id}`)
    expect(await findCredentials(ctx, { provider: 'sms' })).toMatchObject({ credentials: undefined })
  })
})

describe('a pause', () => {
  it('is told once, and lifted by a person or by new credentials', async () => {
    const ctx = await createTestApp(store)
    await set(ctx, 'fcm', makeServiceAccount())
    const [first, second] = await Promise.all([
      pauseProvider(ctx, { provider: 'fcm', reason: 'FCM 401 UNAUTHENTICATED' }),
      pauseProvider(ctx, { provider: 'fcm', reason: 'FCM 401 UNAUTHENTICATED' }),
    ])
    expect([first.isNew, second.isNew].sort()).toEqual([false, true])
    const [stored] = await listCredentials(ctx, { appIds: [ctx.app.id] })
    expect(stored?.paused).toEqual({ at: expect.any(Date), reason: 'FCM 401 UNAUTHENTICATED' })
    expect(await listAlerts(ctx)).toMatchObject([
      {
        kind: 'provider-paused',
        subject: 'fcm',
        text: expect.stringMatching(/^Firebase \(FCM\) is paused: FCM 401 UNAUTHENTICATED\. Messages wait/),
      },
    ])
    expect(await liftPause(ctx, { provider: 'fcm' })).toEqual({ wasPaused: true })
    expect(await liftPause(ctx, { provider: 'fcm' })).toEqual({ wasPaused: false })
    expect(await listAlerts(ctx)).toEqual([])
    await pauseProvider(ctx, { provider: 'fcm', reason: 'again' })
    await set(ctx, 'fcm', makeServiceAccount())
    expect((await listProviders(ctx))[0]?.paused).toBeUndefined()
    expect(await listAlerts(ctx)).toEqual([])
  })

  it('by a late answer to old credentials does not stop the new ones', async () => {
    const ctx = await createTestApp(store)
    await set(ctx, 'fcm', makeServiceAccount())
    const old = await findCredentials(ctx, { provider: 'fcm' })
    await set(ctx, 'fcm', makeServiceAccount())
    const late = { provider: 'fcm', reason: 'late', version: old?.version as string } as const
    expect(await pauseProvider(ctx, late)).toEqual({ isNew: false })
    const { version } = (await findCredentials(ctx, { provider: 'fcm' })) as { version: string }
    expect(await pauseProvider(ctx, { ...late, version })).toEqual({ isNew: true })
  })
})
