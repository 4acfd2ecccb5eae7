import { countRows, names, runContest } from './contest.ts'
import { listAudience, makeMessages } from './data/bodies.ts'
import { createFilledDatabase, people } from './data/filled-database.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { cpuRatioOf, printThroughput, ratioOf, summariseAll } from './measure/throughput.ts'

const installations = 100_000

/** Personal messages, one user each, accepted and committed with the work they leave for delivery. */
export async function benchAccept(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const database = await createFilledDatabase(cluster, 'bench', people(installations))
  const { measured, othersCores } = await runContest(options, cluster, database, {
    path: `/api/push/toUsers?access_token=${database.token}`,
    headers: {},
    bodies: makeMessages(await listAudience(database.store, database.appId)).map((message) => JSON.stringify(message)),
    unit: 'message',
    hasGoalForLimit: true,
    countStored: (store) => countRows(store, 'messages'),
    parseClass: 'Message',
    parseFields: { user: 'String', content: 'String', data: 'Object', notification: 'Object' },
  })
  printThroughput('toUsers: one user a request, 64 connections', 'message', measured)
  const goals = [
    {
      what: 'toUsers with its delivery: CPU ÷ bare Fastify',
      value: cpuRatioOf(measured, names.ours, names.limit),
      atMost: 5,
    },
    { what: 'toUsers ÷ Parse Server', value: ratioOf(measured, names.ours, names.peer), atLeast: 5 },
  ]
  await keepResult('accept', options, goals, {
    generator: options.generator.name,
    postgres: cluster.version,
    rounds: options.rounds,
    othersCores,
    toUsers: summariseAll(measured),
  })
}
