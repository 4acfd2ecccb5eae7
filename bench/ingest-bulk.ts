import type { Store } from '@peyk/server/base/store/store.ts'
import { raw } from 'sql-template-tag'
import { countRows } from './contest.ts'
import { type Cluster, openDatabase } from './measure/cluster.ts'
import { readByCopy, writeByCopy } from './measure/copy.ts'
import { measureHttp } from './measure/http-load.ts'
import type { BenchOptions } from './measure/options.ts'
import { createProfiler } from './measure/profile.ts'
import { runRounds, type Subject } from './measure/rounds.ts'
import { printThroughput, ratioOf, summariseAll, type Throughput } from './measure/throughput.ts'
import { cpuBetween, readUsage } from './measure/usage.ts'
import { type PeykDatabase, startPeyk } from './subjects/peyk.ts'

const names = { ours: 'Peyk trackBulk', limit: 'COPY (limit)' }
const eventsPerRequest = 1_000
const connections = 4
const warmUpSeconds = 3
const copiedRows = 200_000

/** Arrays of 1,000 events against COPY of rows that trackBulk has stored, into a table with the same indexes. */
export async function runBulk(options: BenchOptions, cluster: Cluster, database: PeykDatabase, events: object[]) {
  const bodies: string[] = []
  for (let start = 0; start + eventsPerRequest <= events.length; start += eventsPerRequest) {
    bodies.push(JSON.stringify(events.slice(start, start + eventsPerRequest)))
  }
  await database.store.query(raw('truncate events'))
  const profiler = options.profile ? await createProfiler() : undefined
  const peyk = await startPeyk(database, profiler?.env)
  const subject = {
    name: names.ours,
    process: peyk,
    path: '/api/installations/trackBulk',
    load: { headers: { 'Content-Type': 'application/json', 'X-Access-Token': database.token }, bodies, connections },
    unitsPerRequest: eventsPerRequest,
    countStored: () => countRows(database.store, 'events'),
  }
  const ours = (seconds: number) => measureHttp(subject, options.generator, cluster.pid, seconds)
  await ours(warmUpSeconds).measure(0)
  const limit = await prepareCopy(openDatabase(database.connection, 1), cluster.pid)
  const subjects = [ours(options.seconds), limit]
  const { measured } = await runRounds(options.rounds, subjects, ({ perSecond }) => `${Math.round(perSecond)}/s`)
  await peyk.stop()
  await profiler?.print()
  printThroughput('trackBulk: 1,000 events a request, 4 connections', 'event', measured)
  return { ratio: ratioOf(measured, names.ours, names.limit), figures: summariseAll(measured) }
}

/** A second table like events, partitioned and indexed as it is, and rows of events for it. */
async function prepareCopy(store: Store, databasePid: number): Promise<Subject<Throughput>> {
  await store.query(raw('create table events_copy (like events including all) partition by range (id)'))
  await store.query(raw('create table events_copy_rows partition of events_copy default'))
  const rows = await readByCopy(store, `(select * from events limit ${copiedRows})`)
  const count = Math.min(copiedRows, await countRows(store, 'events'))
  const measure = async () => {
    const before = readUsage(databasePid)
    const startedAt = performance.now()
    await writeByCopy(store, 'events_copy', rows)
    const seconds = (performance.now() - startedAt) / 1000
    return { perSecond: count / seconds, databaseCpuMicros: cpuBetween(before, readUsage(databasePid), count) }
  }
  await measure()
  return { name: names.limit, measure }
}
