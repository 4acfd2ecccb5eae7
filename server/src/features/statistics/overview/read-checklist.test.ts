import { randomUUID } from 'node:crypto'
import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Context } from '#base/context.ts'
import { createToken } from '../../accounts/access-tokens/create-token.ts'
import { revokeToken } from '../../accounts/access-tokens/revoke-token.ts'
import { changeChecklist } from '../../accounts/apps/change-checklist.ts'
import { twilio } from '../../accounts/providers/credentials.test-support.ts'
import { pauseProvider } from '../../accounts/providers/pause-provider.ts'
import { readCredentials } from '../../accounts/providers/read-credentials.ts'
import { setCredentials } from '../../accounts/providers/set-credentials.ts'
import { advanceDeliveries } from '../../deliveries/progress/advance-deliveries.ts'
import { setProvider } from '../../deliveries/provider-setup/set-provider.ts'
import { registerInstallation } from '../../installations/register/register-installation.ts'
import { unregisterInstallation } from '../../installations/uninstalls/unregister-installation.ts'
import { readChecklist } from './read-checklist.ts'

const store = await createTestStore()
const nothing = { clientKey: false, snippet: false, installation: false, provider: false, message: false }
const doneIn = async (ctx: Context) => (await readChecklist(ctx)).done

async function advance(ctx: Context, installationId: string, state: 'queued' | 'sent' | 'ended'): Promise<void> {
  const [row] = await store.query<{ no: number }>(sql`
    select installation_no as no from installations where app_id = ${ctx.app.id} and id = ${installationId}`)
  const delivery = { appId: ctx.app.id, messageId: randomUUID(), installationNo: row?.no as number, recipients: 1 }
  await store.transaction((tx) => advanceDeliveries(tx, [{ ...delivery, state, at: ctx.now() }]))
}

it('has nothing done in a new app, whatever another one has', async () => {
  const [ctx, other] = [await createTestApp(store), await createTestApp(store)]
  await createToken(other, { name: 'web', scopes: ['client'] })
  const { id } = await registerInstallation(other, { deviceType: 'web' })
  await advance(other, id, 'sent')
  expect(await readChecklist(ctx)).toEqual({ done: nothing, isDismissed: false })
})

it('asks for a client key that works', async () => {
  const clock = { at: Date.UTC(2026, 10, 15) }
  const ctx = await createTestApp(store, { at: () => new Date(clock.at) })
  await createToken(ctx, { name: 'back end', scopes: ['server'] })
  expect(await doneIn(ctx)).toEqual(nothing)
  const { id } = await createToken(ctx, { name: 'web', scopes: ['client'] })
  expect(await doneIn(ctx)).toEqual({ ...nothing, clientKey: true })
  await revokeToken(ctx, { id })
  expect(await doneIn(ctx)).toEqual(nothing)
  await createToken(ctx, { name: 'web', scopes: ['client'], expiresAt: new Date(clock.at + 1_000) })
  expect(await doneIn(ctx)).toEqual({ ...nothing, clientKey: true })
  clock.at += 1_000
  expect(await doneIn(ctx)).toEqual(nothing)
})

it('tells of the newest installation that is still there', async () => {
  const ctx = await createTestApp(store)
  const first = await registerInstallation(ctx, { deviceType: 'android', userId: 'sara' })
  const second = await registerInstallation(ctx, { deviceType: 'web', userId: 'omid' })
  const done = { ...nothing, clientKey: true, snippet: true, installation: true }
  const [web, android] = [
    { installationId: second.id, userId: 'omid', deviceType: 'web', createdAt: expect.any(Number) },
    { installationId: first.id, userId: 'sara', deviceType: 'android', createdAt: expect.any(Number) },
  ]
  expect(await readChecklist(ctx)).toEqual({ done, device: web, isDismissed: false })
  await unregisterInstallation(ctx, { id: second.id })
  expect(await readChecklist(ctx)).toEqual({ done, device: android, isDismissed: false })
  await unregisterInstallation(ctx, { id: first.id })
  expect(await readChecklist(ctx)).toEqual({ done, isDismissed: false })
})

it('asks for a push provider that takes the credentials it has now', async () => {
  const ctx = await createTestApp(store)
  const sms = readCredentials('sms', twilio, undefined).credentials
  await setCredentials(ctx, { provider: 'sms', credentials: sms, isSimulated: false })
  await store.query(sql`
    update provider_credentials set check_result = 'taken', checked_version = md5(sealed) where app_id = ${ctx.app.id}`)
  expect(await doneIn(ctx)).toEqual(nothing)
  await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:push@shop.example' } })
  expect(await doneIn(ctx)).toEqual({ ...nothing, provider: true })
  await pauseProvider(ctx, { provider: 'webpush', reason: 'It answered 403.' })
  expect(await doneIn(ctx)).toEqual(nothing)
  await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:other@shop.example' } })
  expect(await doneIn(ctx)).toEqual({ ...nothing, provider: true })
  await store.query(sql`update provider_credentials set checked_version = 'of others' where app_id = ${ctx.app.id}`)
  expect(await doneIn(ctx)).toEqual(nothing)
})

it('waits for a message that went out, and takes the provider for connected then', async () => {
  const ctx = await createTestApp(store)
  const { id } = await registerInstallation(ctx, { deviceType: 'android' })
  await setProvider(ctx, { provider: 'webpush', sent: { subject: 'mailto:push@shop.example' } })
  await store.query(sql`update provider_credentials set check_result = null where app_id = ${ctx.app.id}`)
  for (const state of ['queued', 'ended'] as const) await advance(ctx, id, state)
  expect(await doneIn(ctx)).toMatchObject({ provider: false, message: false })
  await advance(ctx, id, 'sent')
  expect(await doneIn(ctx)).toMatchObject({ provider: true, message: true })
})

it('is put away and brought back', async () => {
  const ctx = await createTestApp(store)
  await changeChecklist(ctx, { isDismissed: true })
  expect((await readChecklist(ctx)).isDismissed).toBe(true)
  await changeChecklist(ctx, { isDismissed: false })
  expect((await readChecklist(ctx)).isDismissed).toBe(false)
})
