import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import type { Store } from '../server/src/base/store/store.ts'
import { countRows } from './contest.ts'
import { writeCodes } from './data/codes.ts'
import { makeTemporaryFolder, openDatabase, startCluster } from './measure/cluster.ts'
import { copyFile } from './measure/copy.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { median, medianRatio, runRounds, type Subject } from './measure/rounds.ts'
import { printTable } from './measure/table.ts'
import { watchMemory } from './measure/usage.ts'
import { measureTaking } from './promo-taking.ts'
import { createPeykDatabase, type PeykDatabase, startPeyk } from './subjects/peyk.ts'

const names = { ours: 'Peyk updatePromoCodes', limit: 'COPY (limit)' }
const codes = 1_000_000
const trackId = 'bench'

/** Replacing a campaign's codes by a file of a million, against COPY of that file; then giving codes out. */
export async function benchPromo(options: BenchOptions): Promise<void> {
  const folder = await makeTemporaryFolder()
  const file = join(folder, 'codes.csv')
  const smallFile = join(folder, 'small.csv')
  await writeCodes(file, codes)
  await writeCodes(smallFile, smallCodes)
  const cluster = await startCluster()
  const database = await createPeykDatabase(await cluster.createDatabase('bench'))
  await database.store.query(
    sql`insert into campaigns (app_id, track_id, name) values (${database.appId}, ${trackId}, 'Bench')`,
  )
  const peyk = await startPeyk(database)
  const copyStore = await prepareCopy(database)
  const subjects: Subject<number>[] = [
    { name: names.ours, measure: () => replaceSeconds(peyk.url, database, file, codes) },
    { name: names.limit, measure: () => copySeconds(copyStore, file) },
  ]
  const smallPeakMb = await peakMemory(peyk.pid, async () => {
    for (let upload = 0; upload < 5; upload++) await replaceSeconds(peyk.url, database, smallFile, smallCodes)
  })
  const measured = new Map<string, number[]>()
  const peakMb = await peakMemory(peyk.pid, async () => {
    for (const subject of subjects) await subject.measure(0)
    const rounds = await runRounds(options.rounds, subjects, (round, name, seconds) => {
      console.log(`  round ${round + 1}: ${name} ${seconds.toFixed(2)} s`)
    })
    for (const [name, seconds] of rounds) measured.set(name, seconds)
  })
  const [ours = [], limit = []] = measured.values()
  const taking = await measureTaking(database, trackId)
  printTable(
    `Promo codes: a file of ${codes.toLocaleString('en-US')}`,
    ['', 'seconds', 'codes/s', 'Peyk ÷ this', 'RSS before MB', 'RSS peak MB'],
    [
      [names.ours, median(ours), codes / median(ours), 1, memory.beforeMb, memory.peakMb()],
      [names.limit, median(limit), codes / median(limit), medianRatio(ours, limit), undefined, undefined],
      ['Peyk takes codes, 500 at once', undefined, taking.codesPerSecond, undefined, undefined, undefined],
    ],
  )
  const growthMb = (memory.peakMb() ?? 0) - (memory.beforeMb ?? 0)
  const goals = [
    { what: 'replace ÷ COPY, in time', value: medianRatio(ours, limit), atMost: 1.5 },
    { what: 'memory growth of the service, MB', value: growthMb, atMost: 50 },
  ]
  await keepResult('promo', options.machine, goals, {
    postgres: cluster.version,
    rounds: options.rounds,
    codes,
    replaceSeconds: median(ours),
    replaceSecondsOfRounds: ours,
    copySeconds: median(limit),
    copySecondsOfRounds: limit,
    rssBeforeMb: memory.beforeMb,
    rssPeakMb: memory.peakMb(),
    taking,
  })
}

async function replaceSeconds(url: string, database: PeykDatabase, file: string): Promise<number> {
  const seconds = await upload(url, database.token, file)
  const active = `promo_codes join promo_sets using (app_id, set_no) where app_id = ${database.appId} and state = 'active'`
  const stored = await countRows(database.store, active)
  if (stored !== codes) throw new Error(`${codes} codes were acknowledged, but ${stored} are in the active set.`)
  return seconds
}

async function upload(url: string, token: string, file: string): Promise<number> {
  const form = new FormData()
  form.set('file', await openAsBlob(file), 'codes.csv')
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/containers/updatePromoCodes/${trackId}`, {
    method: 'POST',
    headers: { 'X-Access-Token': token },
    body: form,
  })
  const answer = (await response.json()) as { totalRows?: number }
  const seconds = (performance.now() - startedAt) / 1000
  if (answer.totalRows !== codes)
    throw new Error(`The upload was answered with ${response.status} ${JSON.stringify(answer)}`)
  return seconds
}

async function prepareCopy(database: PeykDatabase): Promise<Store> {
  const store = openDatabase(database.connection, 1)
  await store.query(
    raw(`create table promo_copy (app_id integer not null default 1, set_no bigint not null default 1,
      code text collate "C" not null, primary key (app_id, set_no, code))`),
  )
  return store
}

async function copySeconds(store: Store, file: string): Promise<number> {
  await store.query(raw('truncate promo_copy'))
  const startedAt = performance.now()
  await copyFile(store, 'promo_copy (code)', file)
  return (performance.now() - startedAt) / 1000
}
