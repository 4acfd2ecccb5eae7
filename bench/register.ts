import { countRows, names, runContest } from './contest.ts'
import { makeInstallations } from './data/bodies.ts'
import { createFilledDatabase, people } from './data/filled-database.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { printThroughput, ratioOf, summariseAll } from './measure/throughput.ts'

const installations = 100_000

/** New installations, one a request, of users who log in with them. */
export async function benchRegister(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const database = await createFilledDatabase(cluster, 'bench', people(installations))
  const { measured, othersCores } = await runContest(options, cluster, database, {
    path: '/api/installations',
    headers: { 'X-Access-Token': database.token },
    bodies: makeInstallations().map((installation) => JSON.stringify(installation)),
    unit: 'installation',
    hasGoalForLimit: false,
    countStored: (store) => countRows(store, 'installations'),
    parseClass: 'Device',
    parseFields: {
      userId: 'String',
      deviceType: 'String',
      clientVersion: 'String',
      osVersion: 'String',
      language: 'String',
      timeZone: 'String',
    },
  })
  printThroughput('register: one new installation a request, 64 connections', 'installation', measured)
  const goals = [{ what: 'register ÷ Parse Server', value: ratioOf(measured, names.ours, names.peer), atLeast: 1 }]
  await keepResult('register', options, goals, {
    generator: options.generator.name,
    postgres: cluster.version,
    rounds: options.rounds,
    othersCores,
    register: summariseAll(measured),
    ofBareFastify: ratioOf(measured, names.ours, names.limit),
  })
}
