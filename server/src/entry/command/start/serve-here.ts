import { setTimeout as sleep } from 'node:timers/promises'
import { onTimeForward } from '#base/bus/time-broadcast.ts'
import { type Config, limits } from '#base/config.ts'
import type { External } from '#base/external.ts'
import type { Store } from '#base/store/store.ts'
import { followUsage } from '#features/accounts/quotas/follow-usage.ts'
import type { BackupPlan } from '#features/backups/make-scheduled-backup.ts'
import { openSendingGate } from '#features/backups/sending-gate.ts'
import { createRoleWatch } from '#features/installations/connections/watch-roles.ts'
import { createPresence } from '../../connection/presence.ts'
import { createConnectionServer } from '../../connection/server.ts'
import type { MetricsOfAll } from '../../http/operations/metrics-of-all.ts'
import { createHttpServer } from '../../http/server.ts'
import { hasPart } from '../../roles.ts'
import { addDeliveryMetrics } from '../../worker/delivery-metrics.ts'
import { createWorker } from '../../worker/worker.ts'
import type { Demo } from './demo.ts'
import { httpUrlAt, listen, mqttUrlAt } from './listen.ts'
import { openIndexes } from './open-indexes.ts'
import { openTracing } from './open-tracing.ts'
import { type Start, stopLimitMs } from './running.ts'
import type { ServiceClock } from './service-clock.ts'
import { plannedStop } from './watch-for-end.ts'
import { whenStoreAnswers } from './when-store-answers.ts'

interface Parts {
  store: Store
  clock: ServiceClock
  external: External
  demo: Demo | undefined
  /** Where this process is one of several. */
  metricsOfAll?: MetricsOfAll
}

const SECOND = 1_000
const HOUR = 3_600 * SECOND

/** Everything that answers and works, in this process, from when its parts are there to its end. */
export async function serveHere(start: Start, parts: Parts) {
  const { config, log, cleanup } = start
  const { store, clock, external, demo } = parts
  const { now } = clock
  const addTraceMetrics = await openTracing(start, now)
  const indexes = openIndexes(start, store)
  const usage = followUsage({ store, log }, config.durations.usageMs)
  cleanup.add({ what: 'Writing what apps have used', limitMs: stopLimitMs, run: usage.stop })
  cleanup.add({ what: 'Committing what is under way', limitMs: stopLimitMs, run: store.drain })
  const gate = await whenStoreAnswers(start, () => openSendingGate({ store, log, now }))
  cleanup.add({ what: 'Ending the hold after a restore', limitMs: stopLimitMs, run: gate.stop })
  const worker = createWorker({
    ...{ store, log, now, external, gate },
    roles: config.roles,
    pushesPerSecond: config.pushesPerSecond,
    durations: config.durations,
    backups: backupPlanOf(config),
  })
  cleanup.add({ what: 'Stopping the worker', limitMs: stopLimitMs, run: worker.stop })
  const http = await createHttpServer({
    ...{ config, store, log, now, demo, metricsOfAll: parts.metricsOfAll },
    external: demo ? { ...external, phones: { simulatorUrl: demo.simulatorUrl, appLabel: demo.appId } } : external,
  })
  addDeliveryMetrics(http.registry, store, worker)
  indexes.addMetrics(http.registry)
  addTraceMetrics?.(http.registry)
  const connections = hasPart(config.roles, 'live-connections')
    ? await createConnectionServer({
        ...{ config, store, log, now, external },
        mayDeliver: gate.isOpen,
        http: http.app.server,
        registry: http.registry,
      })
    : undefined
  if (!connections) joinOthers({ config, log, cleanup }, store)
  const roleWatch = createRoleWatch({ store, log, now }, config.durations)
  cleanup.add({ what: 'Stopping the role watch', limitMs: stopLimitMs, run: roleWatch.stop })
  cleanup.add({
    what: 'Finishing the requests under way and closing the connections of clients',
    limitMs: limits.shutdownMs + SECOND,
    run: async () => void (await Promise.all([http.close(), connections?.close()])),
  })
  const mqttUrl =
    connections &&
    mqttUrlAt(await listen(connections, { host: config.host, port: config.mqttPort }, 'PEYK_MQTT_PORT'), config)
  const baseUrl = httpUrlAt(await listen(http.app, config), config)
  cleanup.add({
    what: 'Accepting requests until proxies have noticed the stop',
    limitMs: config.durations.drainMs + SECOND,
    run: async () => {
      http.startDraining()
      if (start.signal.reason === plannedStop) await sleep(config.durations.drainMs)
    },
  })
  worker.start()
  roleWatch.start()
  onTimeForward(store, () => void clock.measure().then(worker.hurry, () => undefined))
  const listening = http.app.server.address()
  return { baseUrl, mqttUrl, address: typeof listening === 'object' && listening ? listening.address : config.host }
}

/** Whoever has connections of clients does so with them. */
function joinOthers({ config, log, cleanup }: Pick<Start, 'config' | 'log' | 'cleanup'>, store: Store): void {
  const presence = createPresence({ config, log, store })
  presence.start()
  cleanup.add({ what: 'Leaving the other processes', limitMs: stopLimitMs, run: presence.stop })
}

function backupPlanOf({ backupEveryHours, backupKeep, backupFolder }: Config): BackupPlan | undefined {
  if (backupEveryHours === 0) return undefined
  return { everyMs: backupEveryHours * HOUR, keep: backupKeep, folder: backupFolder }
}
