import { fillClients, listContestants } from './connections/contenders.ts'
import { measureDeliveries } from './connections/deliveries.ts'
import { measureIdle } from './connections/idle/idle.ts'
import { measureLatency } from './connections/latency.ts'
import { measureMemory } from './connections/memory.ts'
import { measureReconnect } from './connections/reconnect.ts'
import type { Found, World } from './connections/world.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { printTable } from './measure/table.ts'
import { createPeykDatabase } from './subjects/peyk.ts'

const parts: Record<string, (world: World) => Promise<Found>> = {
  memory: measureMemory,
  deliveries: measureDeliveries,
  reconnect: measureReconnect,
  latency: measureLatency,
  idle: measureIdle,
}

/**
 * What one short round cannot tell: the heap of a process has some 40 MB more or less at any time, whoever is connected,
 * and while clients come back too few requests are answered for a p99.
 */
const notInQuickRun = ['memory', 'reconnect', 'idle']

/** The own connection against MQTT brokers: what a connection weighs, what a delivery costs, what a return in crowds does. */
export async function benchConnections(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const database = await createPeykDatabase(await cluster.createDatabase('bench'))
  const logins = await fillClients(database, options.clients)
  const world: World = { options, cluster, database, logins, contestants: listContestants(database, logins) }
  const asked = options.parts.length > 0 ? options.parts : listUsualParts(options)
  const found: [string, Found][] = []
  for (const name of asked) {
    const measure = parts[name]
    if (!measure) throw new Error(`There is no part "${name}". There are: ${Object.keys(parts).join(', ')}.`)
    console.log(`--- ${name}`)
    found.push([name, await measure(world)])
  }
  for (const [, { title, header, rows }] of found) printTable(title, header, rows)
  await keepResult(
    'connections',
    options,
    found.flatMap(([, { goals }]) => goals),
    {
      postgres: cluster.version,
      rounds: options.rounds,
      clients: options.clients,
      ...Object.fromEntries(found.map(([name, { figures }]) => [name, figures])),
    },
  )
}

function listUsualParts({ isQuick }: BenchOptions): string[] {
  return Object.keys(parts).filter((name) => !isQuick || !notInQuickRun.includes(name))
}
