import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTestApp, createTestStore, silentLog } from '@peyk/test/database/test-store.ts'
import { isThorough } from '@peyk/test/runner/effort.ts'
import sql from 'sql-template-tag'
import { expect, it, onTestFinished } from 'vitest'
import { loadConfig } from '#base/config.ts'
import type { OutwardContext } from '#base/context.ts'
import { type OpenSimulator, openSimulator } from '../../entry/command/start/open-simulator.ts'
import { findCredentials } from '../accounts/providers/find-credentials.ts'
import { listProviders } from '../accounts/providers/list-providers.ts'
import { setProvider } from '../deliveries/provider-setup/set-provider.ts'
import { registerInstallation } from '../installations/register/register-installation.ts'
import { equipDemoApp } from './equip-demo-app.ts'

const store = await createTestStore()
const deviceTypes = ['android', 'ios', 'web'] as const

async function startSimulator(folder: string): Promise<OpenSimulator> {
  const simulator = await openSimulator(loadConfig({ PEYK_DATA: folder }), silentLog)
  onTestFinished(simulator.close)
  return simulator
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-equip-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An app with two made-up devices of each kind, and one that somebody registered. */
async function makeApp(simulator: OpenSimulator): Promise<OutwardContext> {
  const ctx = await createTestApp(store)
  for (const deviceType of deviceTypes) {
    for (const no of [1, 2]) {
      await registerInstallation(ctx, { deviceType, uniqueId: `demo-device-${deviceType}-${no}` })
    }
  }
  await registerInstallation(ctx, { deviceType: 'android', uniqueId: 'mine' })
  return { ...ctx, external: { ...ctx.external, simulated: simulator.endpoints } }
}

const readTokens = (ctx: OutwardContext) =>
  store.query<{ id: string; device_type: string; token: string | null; own: boolean }>(sql`
    select i.id, i.device_type, d.device_token as token, d.details ->> 'uniqueId' = 'mine' as own
    from installations i join installation_details d using (app_id, installation_no)
    where app_id = ${ctx.app.id} order by i.id`)

const equip = (ctx: OutwardContext, simulator: OpenSimulator) =>
  equipDemoApp({ ...ctx, external: { ...ctx.external, simulated: simulator.endpoints } }, simulator)

it('gives the app credentials that the simulator takes, and each made-up device a token of its own', async () => {
  const simulator = await startSimulator(await makeFolder())
  const ctx = await makeApp(simulator)
  await equip(ctx, simulator)
  expect((await listProviders(ctx)).map(({ provider, simulated, paused }) => [provider, simulated, paused])).toEqual(
    ['apns', 'fcm', 'sms', 'webpush'].map((provider) => [provider, true, undefined]),
  )
  const devices = await readTokens(ctx)
  expect(new Set(devices.map(({ token }) => token)).size).toBe(7)
  expect(devices.filter(({ token }) => token === null)).toMatchObject([{ own: true }])
  await equip(ctx, simulator)
  expect(await readTokens(ctx)).toEqual(devices)
})

it.runIf(isThorough)('replaces what another simulator issued', async () => {
  const first = await startSimulator(await makeFolder())
  const ctx = await makeApp(first)
  await equip(ctx, first)
  const before = await readTokens(ctx)
  const second = await startSimulator(await makeFolder())
  await equip(ctx, second)
  const after = await readTokens(ctx)
  for (const [index, { token, own }] of after.entries()) {
    if (!own) expect(token).not.toBe(before[index]?.token)
  }
  const stored = await findCredentials(ctx, { provider: 'fcm' })
  expect(stored?.credentials?.tokenUri).toBe((second.credentials.fcm as { token_uri: string }).token_uri)
})

it('gives browsers new subscriptions when the port they lead to has changed', async () => {
  const folder = await makeFolder()
  const simulator = await startSimulator(folder)
  const ctx = await makeApp(simulator)
  await equip(ctx, simulator)
  const before = await readTokens(ctx)
  await equip(ctx, { ...simulator, webPushOrigin: 'http://localhost:9' })
  const after = await readTokens(ctx)
  expect(
    after.filter(({ token }, index) => token !== before[index]?.token).map((device) => device.device_type),
  ).toEqual(['web', 'web'])
})

it('leaves alone what a person has set', async () => {
  const simulator = await startSimulator(await makeFolder())
  const ctx = await makeApp(simulator)
  const sent = { ...simulator.credentials.apns, force: true }
  const own = { keyId: 'MYOWNKEY01', teamId: 'MYOWNTEAM1' }
  // Asked of the simulator, so that the test stays on this machine.
  await setProvider(ctx, { provider: 'apns', sent: { ...sent, ...own, simulated: true } })
  await store.query(sql`update provider_credentials set is_simulated = false where app_id = ${ctx.app.id}`)
  await equip(ctx, simulator)
  expect((await listProviders(ctx, { providers: ['apns'] }))[0]).toMatchObject({ simulated: false, shown: own })
  expect((await readTokens(ctx)).filter(({ token }) => token === null).map((device) => device.device_type)).toEqual(
    expect.arrayContaining(['ios', 'ios', 'android']),
  )
})
