import { busOf } from '@peyk/server/base/bus/bus.ts'
import { loadConfig, type Role } from '@peyk/server/base/config.ts'
import { CleanupSteps } from '@peyk/server/entry/command/start/cleanup-steps.ts'
import { connectStore } from '@peyk/server/entry/command/start/open-database.ts'
import { serveHere } from '@peyk/server/entry/command/start/serve-here.ts'
import { onTestFinished } from 'vitest'
import { silentLog, testExternal } from '../database/test-store.ts'

/** A process with one role, as far as the database and the others can tell: a store, ports and loops of its own. */
export async function startRole(role: Role, url: string, env: Record<string, string> = {}) {
  const cleanup = new CleanupSteps()
  onTestFinished(() => cleanup.runAll(silentLog))
  const config = loadConfig({
    ...{ PEYK_ROLES: role, PEYK_DATABASE_URL: url, PEYK_DATABASE_POOL: '4' },
    ...{ PEYK_MODE: 'production', PEYK_HOST: '127.0.0.1', PEYK_PORT: '0', PEYK_MQTT_PORT: '0' },
    PEYK_TEST_DURATIONS: '{"holdEveryMs":100}',
    ...env,
  })
  const { store, closeStore } = connectStore(url, config, silentLog)
  cleanup.add({ what: 'Closing', limitMs: 10_000, run: closeStore })
  const clock = { now: () => new Date(), measure: async () => undefined, stop: async () => undefined }
  const start = { config, log: silentLog, cleanup, signal: new AbortController().signal }
  const served = await serveHere(start, { store, clock, external: testExternal, demo: undefined })
  return { ...served, bus: busOf(store) }
}
