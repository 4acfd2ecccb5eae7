import { randomUUID } from 'node:crypto'
import type { Context, OutwardContext } from '@peyk/server/base/context.ts'
import { type Durations, defaultDurations } from '@peyk/server/base/durations.ts'
import type { External } from '@peyk/server/base/external.ts'
import type { Store } from '@peyk/server/base/store/store.ts'
import { createWebPushCredentials } from '@peyk/server/features/accounts/credential-formats/web-push.ts'
import { readCredentials } from '@peyk/server/features/accounts/providers/read-credentials.ts'
import { setCredentials } from '@peyk/server/features/accounts/providers/set-credentials.ts'
import { createDispatcher, type Dispatcher } from '@peyk/server/features/deliveries/dispatch/dispatcher.ts'
import { hashDeviceToken } from '@peyk/server/features/installations/device-tokens/device-token.ts'
import { createProviderKeys } from '@peyk/simulator/providers/keys.ts'
import { type Providers, type ProvidersOptions, startProviders } from '@peyk/simulator/providers/start-providers.ts'
import sql from 'sql-template-tag'
import { afterAll } from 'vitest'
import { createTestApp, createTestStore, silentLog, testExternal } from './database/test-store.ts'

type DeviceProvider = 'fcm' | 'apns' | 'webpush'

const deviceTypes: Record<DeviceProvider, string> = { fcm: 'android', apns: 'ios', webpush: 'web' }

/** The simulated providers, and a store whose apps use them. Call it at the top of a file. */
export async function createDelivery(options: Partial<ProvidersOptions> = {}) {
  const providers = await startProviders({ keys: await createProviderKeys(), recordSize: 300_000, ...options })
  afterAll(() => providers.close())
  const store = await createTestStore()
  const external = externalOf(providers)
  return {
    providers,
    store,
    external,
    createApp: () => createSendingApp(store, external, providers),
    startDispatcher: (options: DispatcherOptions = {}) => startDispatcher(store, external, options),
  }
}

export function externalOf(providers: Providers): External {
  return {
    ...testExternal,
    simulated: {
      fcm: providers.fcmUrl,
      apns: { production: providers.apnsUrl, sandbox: providers.apnsUrl },
      twilio: providers.smsUrl,
      oauthHost: new URL(providers.oauthUrl).host,
      ca: providers.ca,
      localOrigins: [providers.fcmUrl, providers.fcmTlsUrl, providers.webPushOrigin, providers.smsUrl],
    },
  }
}

/** Apps on a store, and what delivers their messages by simulated providers. */
export async function createSimulatedSending(store: Store, appCount: number) {
  const providers = await startProviders({ keys: await createProviderKeys(), recordSize: 300_000 })
  afterAll(() => providers.close())
  const external = externalOf(providers)
  const apps: OutwardContext[] = []
  while (apps.length < appCount) apps.push(await createSendingApp(store, external, providers))
  startDispatcher(store, external, {})
  return { apps, providers }
}

async function createSendingApp(store: Store, external: External, providers: Providers): Promise<OutwardContext> {
  const ctx = await createTestApp(store, { external })
  const { fcm, apns } = providers.credentials
  const sent = {
    fcm,
    apns: { ...apns, privateKey: apns.key },
    webpush: createWebPushCredentials('mailto:test@example.com'),
  }
  for (const provider of ['fcm', 'apns', 'webpush'] as const) {
    const { credentials } = readCredentials(provider, sent[provider], undefined)
    await setCredentials(ctx, { provider, credentials, isSimulated: true })
  }
  return ctx
}

export interface TestDevice {
  installationNo: number
  installationId: string
  userId: string
  token: string
}

/** So many installations with live tokens, each of a user of its own, straight into the tables. */
export async function addDevices(
  ctx: Context,
  providers: Providers,
  provider: DeviceProvider,
  count: number,
  prefix: string = provider,
): Promise<TestDevice[]> {
  const devices = Array.from({ length: count }, (_, index) => {
    const issued = providers.tokens.issue(provider)
    const token = typeof issued === 'string' ? issued : JSON.stringify(issued)
    return { installationId: randomUUID(), userId: `${prefix}-${index}`, token }
  })
  const rows = await ctx.store.query<{ id: string; installation_no: number }>(sql`
    with made as (
      insert into users (app_id, user_id)
      select ${ctx.app.id}, user_id from unnest(${devices.map((device) => device.userId)}::text[]) as u(user_id)
      on conflict (app_id, user_id) do update set is_guest = false returning user_no, user_id
    ), installed as (
      insert into installations (app_id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, id, device_type)
      select ${ctx.app.id}, made.user_no, made.user_no, past, past, past, past, false, d.id, ${deviceTypes[provider]}
      from unnest(${devices.map((device) => device.userId)}::text[], ${devices.map((device) => device.installationId)}::uuid[])
        as d(user_id, id) join made using (user_id) cross join (select now() - interval '2 days' as past) as t
      returning installation_no, id
    ), detailed as (
      insert into installation_details (app_id, installation_no, device_token, device_token_hash, token_status, token_changed_at)
      select ${ctx.app.id}, installation_no, d.token, d.hash, 'ALLOWED', now() - interval '2 days'
      from installed join unnest(${devices.map((device) => device.installationId)}::uuid[],
        ${devices.map((device) => device.token)}::text[], ${devices.map((device) => hashDeviceToken(device.token))}::bytea[])
        as d(id, token, hash) using (id)
    ), counted as (
      insert into activity_days (app_id, day, platform, slot, installs)
      select ${ctx.app.id}, (now() - interval '2 days')::date, ${deviceTypes[provider]}, 0, count(*) from installed
      on conflict (app_id, day, platform, slot) do update set installs = activity_days.installs + excluded.installs
    )
    select id, installation_no from installed`)
  const numbers = new Map(rows.map((row) => [row.id, row.installation_no]))
  return devices.map((device) => ({ ...device, installationNo: numbers.get(device.installationId) as number }))
}

interface DispatcherOptions {
  store?: Store
  external?: External
  pushesPerSecond?: number
  durations?: Partial<Durations>
}

function startDispatcher(store: Store, external: External, options: DispatcherOptions): Dispatcher {
  const dispatcher = createDispatcher({
    store: options.store ?? store,
    external: options.external ?? external,
    log: silentLog,
    now: () => new Date(),
    pushesPerSecond: options.pushesPerSecond ?? 10_000,
    durations: { ...defaultDurations, ...options.durations },
  })
  dispatcher.start()
  afterAll(() => dispatcher.stop())
  return dispatcher
}
