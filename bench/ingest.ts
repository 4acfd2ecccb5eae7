import { countRows, names, runContest } from './contest.ts'
import { listAudience, makeEvents } from './data/bodies.ts'
import { createFilledDatabase, people } from './data/filled-database.ts'
import { runBulk } from './ingest-bulk.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { cpuRatioOf, printThroughput, ratioOf, summariseAll } from './measure/throughput.ts'

const installations = 100_000

/** Events one by one against the limit and Parse Server; events by the thousand against COPY. */
export async function benchIngest(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const database = await createFilledDatabase(cluster, 'bench', people(installations))
  const events = makeEvents(await listAudience(database.store, database.appId))
  const { measured, othersCores } = await runContest(options, cluster, database, {
    path: '/api/installations/track',
    headers: { 'X-Access-Token': database.token },
    bodies: events.map((event) => JSON.stringify(event)),
    unit: 'event',
    hasGoalForLimit: true,
    countStored: (store) => countRows(store, 'events'),
    parseClass: 'Event',
    parseFields: { userId: 'String', installationId: 'String', eventName: 'String', eventData: 'Object' },
  })
  printThroughput('track: one event a request, 64 connections', 'event', measured)
  const bulk = await runBulk(options, cluster, database, events)
  const goals = [
    { what: 'track: CPU ÷ bare Fastify', value: cpuRatioOf(measured, names.ours, names.limit), atMost: 2.5 },
    { what: 'track ÷ Parse Server', value: ratioOf(measured, names.ours, names.peer), atLeast: 8 },
    { what: 'trackBulk ÷ COPY', value: bulk.ratio, atLeast: 0.8 },
  ]
  await keepResult('ingest', options, goals, {
    generator: options.generator.name,
    postgres: cluster.version,
    rounds: options.rounds,
    othersCores,
    track: summariseAll(measured),
    trackBulk: bulk.figures,
  })
}
