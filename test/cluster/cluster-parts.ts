import { randomBytes } from 'node:crypto'
import type { Role } from '@peyk/server/base/config.ts'
import { openStore, type Store } from '@peyk/server/base/store/store.ts'
import { createApp, type NewApp } from '@peyk/server/features/accounts/apps/create-app.ts'
import { onTestFinished } from 'vitest'
import { NatsServer } from '../helpers/programs/nats.ts'
import { makeGuardedFolder } from '../helpers/runner/guard.ts'
import { freePort, ServiceProcess } from '../helpers/service/service-process.ts'

/** A process of the service that can be killed, and started again with the settings that it had. */
export interface Member {
  name: string
  service: ServiceProcess
  mqttPort: number
  start(): Promise<void>
}

const secretKey = randomBytes(32).toString('hex')

/** Not started yet. Without a role it has all. */
export async function addMember(
  name: string,
  env: Record<string, string>,
  { role, root, port }: { role?: Role; root?: string; port?: number } = {},
): Promise<Member> {
  const service = new ServiceProcess(await makeGuardedFolder(`peyk-${name}-`), port ?? (await freePort()), root)
  const mqttPort = await freePort()
  onTestFinished(() => service.remove())
  const settings = {
    ...{
      PEYK_MODE: 'production',
      PEYK_RATE_REGISTRATIONS: '1000000000',
      PEYK_SECRET_KEY: secretKey,
      PEYK_DATABASE_POOL: '6',
    },
    ...{ PEYK_MQTT_PORT: String(mqttPort), ...(role && { PEYK_ROLES: role }), ...env },
  }
  return { name, service, mqttPort, start: () => startAgain(() => service.start(settings)) }
}

/** As whoever supervises it would: with many on few cores, a start may find no database in time. */
async function startAgain(start: () => Promise<void>, tries = 5): Promise<void> {
  try {
    await start()
  } catch (error) {
    if (tries === 1) throw error
    await startAgain(start, tries - 1)
  }
}

/** Three that know each other. */
export async function startNats(): Promise<{ servers: NatsServer[]; url: string }> {
  const routes = await Promise.all([freePort(), freePort(), freePort()])
  const others = routes.map((port) => `nats://127.0.0.1:${port}`).join(',')
  const servers = await Promise.all(
    routes.map((port) =>
      NatsServer.start(['--cluster_name', 'peyk', '--cluster', `nats://127.0.0.1:${port}`, '--routes', others]),
    ),
  )
  return { servers, url: `nats://${servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}` }
}

/** For the test's own questions. */
export function openOwnStore(url: string): Store {
  const store = openStore(url, { poolSize: 2 })
  onTestFinished(async () => {
    await store.drain()
    await store.close()
  })
  return store
}

export function createShop(store: Store): Promise<NewApp> {
  return createApp({ store, now: () => new Date() }, { label: 'shop' })
}

/** The same numbers for the same seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
