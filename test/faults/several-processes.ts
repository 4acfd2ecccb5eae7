import type { Context } from '@peyk/server/base/context.ts'
import { defaultDurations } from '@peyk/server/base/durations.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import { createDispatcher } from '@peyk/server/features/deliveries/dispatch/dispatcher.ts'
import { onTestFinished } from 'vitest'
import { clientIdOf, connectClient, type TestClient } from '../helpers/connection.ts'
import { silentLog, testExternal } from '../helpers/database/test-store.ts'
import type { Device } from '../helpers/devices.ts'

/** Several processes on one database, each a store of its own; a test ends those that it began. */

export const durations = {
  ...defaultDurations,
  deliveryLeaseMs: 1_000,
  holdEveryMs: 250,
  aliveMs: 1_500,
}
export const env = { PEYK_TEST_DURATIONS: JSON.stringify(durations) }

export function openProcess(url: string): Store {
  const own = openStore(url, { poolSize: 4 })
  onTestFinished(async () => {
    await own.drain()
    await own.close()
  })
  return own
}

export function startWorker(own: Store) {
  const given = { store: own, external: testExternal, log: silentLog, now: () => new Date(), pushesPerSecond: 1_000 }
  const dispatcher = createDispatcher({ ...given, durations })
  dispatcher.start()
  onTestFinished(() => dispatcher.stop())
  return dispatcher
}

export function connectAll(
  service: { tcpUrl: string },
  devices: readonly Device[],
  { app, key }: { app: Context; key: string },
): Promise<TestClient[]> {
  return Promise.all(devices.map((device) => connectClient(service.tcpUrl, { clientId: clientIdOf(app, device), key })))
}
