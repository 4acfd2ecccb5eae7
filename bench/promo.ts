import { openAsBlob } from 'node:fs'
import { join } from 'node:path'
import type { Store } from '@peyk/server/base/store/store.ts'
import sql, { raw } from 'sql-template-tag'
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
const wholeCodes = 1_000_000
const quickCodes = 100_000
/** How many times fewer codes the memory is compared with. */
const manyTimes = 10
const trackId = 'bench'

/** Replacing a campaign's codes by a file of a million, against COPY of that file; then giving codes out. */
export async function benchPromo(options: BenchOptions): Promise<void> {
  const codes = options.isQuick ? quickCodes : wholeCodes
  const fewCodes = codes / manyTimes
  const files = await writeFiles(codes, fewCodes)
  const cluster = await startCluster(options)
  const database = await createPeykDatabase(await cluster.createDatabase('bench'))
  await database.store.query(
    sql`insert into campaigns (app_id, track_id, name) values (${database.appId}, ${trackId}, 'Bench')`,
  )
  const peyk = await startPeyk(database)
  const fewMemory = watchMemory(peyk.pid)
  for (let round = 0; round < options.rounds; round++) await replace(peyk.url, database, files.few, fewCodes)
  const fewPeakMb = fewMemory.end()

  const copyStore = await prepareCopy(database)
  const subjects: Subject<number>[] = [
    { name: names.ours, measure: () => replace(peyk.url, database, files.many, codes) },
    { name: names.limit, measure: () => copySeconds(copyStore, files.many) },
  ]
  for (const subject of subjects) await subject.measure(0)
  const memory = watchMemory(peyk.pid)
  const { measured, othersCores } = await runRounds(options.rounds, subjects, (seconds) => `${seconds.toFixed(2)} s`)
  const peakMb = memory.end()
  const taking = await measureTaking(database, trackId)

  const [ours = [], limit = []] = measured.values()
  printTable(
    `Promo codes: a file of ${codes.toLocaleString('en-US')}`,
    ['', 'seconds', 'codes/s', 'Peyk ÷ this', 'peak RSS MB'],
    [
      [names.ours, median(ours), codes / median(ours), 1, peakMb],
      [names.limit, median(limit), codes / median(limit), medianRatio(ours, limit), undefined],
      [`${names.ours}, ${fewCodes.toLocaleString('en-US')} codes`, undefined, undefined, undefined, fewPeakMb],
      [`Peyk takes codes, ${taking.usersPerBatch} at once`, undefined, taking.codesPerSecond, undefined, undefined],
    ],
  )
  const goals = [
    { what: 'time of replace ÷ COPY', value: medianRatio(ours, limit), atMost: 1.5 },
    // What an upload takes grows until it is a million codes: fewer of them tell nothing.
    ...(options.isQuick
      ? []
      : [{ what: 'peak RSS ÷ with a tenth of the codes', value: (peakMb ?? 0) / (fewPeakMb ?? 0), atMost: 1.2 }]),
  ]
  await keepResult('promo', options, goals, {
    postgres: cluster.version,
    rounds: options.rounds,
    othersCores,
    codes,
    replaceSeconds: median(ours),
    replaceSecondsOfRounds: ours,
    copySeconds: median(limit),
    copySecondsOfRounds: limit,
    peakMb,
    peakMbWithFewCodes: fewPeakMb,
    taking,
  })
}

async function writeFiles(codes: number, fewCodes: number): Promise<{ many: string; few: string }> {
  const folder = await makeTemporaryFolder()
  const files = { many: join(folder, 'many.csv'), few: join(folder, 'few.csv') }
  await writeCodes(files.many, codes)
  await writeCodes(files.few, fewCodes)
  return files
}

/** Uploads a file, and checks that all its codes are in the set that is used now. */
async function replace(url: string, database: PeykDatabase, file: string, count: number): Promise<number> {
  const form = new FormData()
  form.set('file', await openAsBlob(file), 'codes.csv')
  const startedAt = performance.now()
  const response = await fetch(`${url}/api/containers/updatePromoCodes/${trackId}`, {
    method: 'POST',
    headers: { 'X-Access-Token': database.token },
    body: form,
  })
  const answer = await response.text()
  const seconds = (performance.now() - startedAt) / 1000
  if (response.status !== 200) throw new Error(`The upload was refused: ${response.status} ${answer}`)
  const active = `promo_codes join promo_sets using (app_id, set_no) where app_id = ${database.appId} and state = 'active'`
  const stored = await countRows(database.store, active)
  if (stored !== count) throw new Error(`${count} codes were acknowledged, but ${stored} are in the active set.`)
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
