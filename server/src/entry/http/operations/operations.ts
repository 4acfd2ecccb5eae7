import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Gauge, type Registry } from 'prom-client'
import { type Bus, busOf } from '#base/bus/bus.ts'
import { type Role, roles } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { ping } from '#base/store/ping.ts'
import type { Store } from '#base/store/store.ts'
import { readRestoreHold } from '#features/backups/read-restore-hold.ts'
import { countRoleProcesses } from '#features/installations/connections/count-role-processes.ts'
import { isNamedProxy, isOwnMachine } from '../gate/is-own-machine.ts'
import type { HttpServices } from '../http-services.ts'
import { addBackupMetrics } from './backup-metrics.ts'
import { joinFigures } from './metrics-of-all.ts'
import type { Observer } from './observe.ts'

/**
 * Served in every role. /health: the process responds. /ready: the database responds too, and the process is not
 * stopping; also says whether a restore holds back sending. /metrics: for Prometheus [requests.md#open-endpoints].
 */
export function addOperations(
  app: FastifyInstance,
  { config, store, metricsOfAll }: HttpServices,
  { registry }: Observer,
  { isDraining }: { isDraining(): boolean },
): void {
  const hidden = { schema: { hide: true } as object }
  app.get('/health', hidden, async () => ({ status: 'ok', roles: config.roles }))
  app.get('/ready', hidden, async () => {
    if (isDraining()) throw new RequestError('shutting-down', 'The service is stopping. Try again shortly.')
    await ping(store)
    const fullAtMs = store.fullDisk?.seenAtMs ?? Number.NEGATIVE_INFINITY
    const isFull = performance.now() - fullAtMs < config.durations.storeFullMs
    const isHeld = (await readRestoreHold({ store })) !== undefined
    return {
      ...{ status: 'ready', roles: config.roles },
      // Stays ready: reads still work, and all processes share the disk, so a proxy would take all of them out.
      ...(isFull && { storing: 'refused' }),
      ...(isHeld && { sending: 'held' }),
    }
  })
  addBackupMetrics(registry, store)
  addRoleMetrics(registry, store, config.roles)
  if (config.nats) addNatsMetric(registry, busOf(store))
  metricsOfAll?.showOwn(() => registry.getMetricsAsJSON())
  const isOpenTo = (request: FastifyRequest) =>
    config.metricsToken === undefined &&
    isOwnMachine(request) &&
    !isNamedProxy(request.raw.socket.remoteAddress ?? '', config.trustProxy)
  app.get('/metrics', hidden, async (request, reply) => {
    const given = /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1]
    if (!isSame(given, config.metricsToken) && !isOpenTo(request)) {
      throw new RequestError(
        'no-token',
        'Send PEYK_METRICS_TOKEN as a bearer token. While it is not set, metrics are open only to programs on this machine that ask for localhost, not through a proxy.',
      )
    }
    const shown = metricsOfAll ? joinFigures(await metricsOfAll.gather()) : registry
    return reply.type(registry.contentType).send(await shown.metrics())
  })
}

function addRoleMetrics(registry: Registry, store: Store, own: readonly Role[]): void {
  const gauge = new Gauge({
    name: 'peyk_process_role',
    help: '1 for each role of this process.',
    labelNames: ['role'],
    registers: [registry],
  })
  for (const role of own) gauge.set({ role }, 1)
  new Gauge({
    name: 'peyk_role_processes',
    help: 'Number of running processes with each role, in the whole service.',
    labelNames: ['role'],
    registers: [registry],
    aggregator: 'first',
    async collect() {
      // Keep the last known value while the database is unavailable.
      const counts = await countRoleProcesses({ store }).catch(() => undefined)
      for (const role of counts ? roles : []) this.set({ role }, counts?.[role] ?? 0)
    },
  })
}

function addNatsMetric(registry: Registry, bus: Bus): void {
  new Gauge({
    name: 'peyk_nats_connected',
    help: 'Whether this process is connected to NATS; while it is not, it tells the others by PostgreSQL.',
    registers: [registry],
    collect() {
      this.set(bus.isNatsOpen ? 1 : 0)
    },
  })
}

/** In the same time for every wrong one. */
function isSame(given: string | undefined, token: string | undefined): boolean {
  if (given === undefined || token === undefined) return false
  const [one, other] = [given, token].map((text) => createHash('sha256').update(text).digest())
  return timingSafeEqual(one as Buffer, other as Buffer)
}
