import { openAsBlob } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql, { raw } from 'sql-template-tag'
import { countRows } from './contest.ts'
import { writeCodes } from './data/codes.ts'
import { type Cluster, openDatabase, startCluster } from './measure/cluster.ts'
import { copyFile } from './measure/copy.ts'
import type { BenchOptions } from './measure/options.ts'
import { keepResult } from './measure/result.ts'
import { median, medianRatio, runRounds, type Subject } from './measure/rounds.ts'
import { printTable } from './measure/table.ts'
import { watchMemory } from './measure/usage.ts'
import { measureTaking } from './promo-taking.ts'
import { createPeykDatabase, type PeykDatabase, startPeyk } from './subjects/peyk.ts'

const codes = 1_000_000
const trackId = 'bench'

/** Replacing a campaign's codes by a file of a million, against COPY of that file; then giving codes out. */
export async function benchPromo(options: BenchOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'peyk-bench-codes-'))
  const cluster = await startCluster()
  try {
    const file = join(folder, 'codes.csv')
    await writeCodes(file, codes)
    const database = await createPeykDatabase(await cluster.createDatabase('bench'))
    await database.store.query(
      sql`insert into campaigns (app_id, track_id, name) values (${database.appId}, ${trackId}, 'Bench')`,
    )
    await measurePromo(options, cluster, database, file)
    await database.store.close()
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measurePromo(
  options: BenchOptions,
  cluster: Cluster,
  database: PeykDatabase,
  file: string,
): Promise<void> {
  const peyk = await startPeyk(database)
  const copyStore = openDatabase(database.connection, 1)
  const memory = watchMemory(peyk.pid)
  try {
    const replace: Subject<number> = {
      name: 'Peyk updatePromoCodes',
      measure: async () => {
        const seconds = await upload(peyk.url, database.token, file)
        await checkActive(database)
        return seconds
      },
    }
    await prepareCopy(copyStore)
    const copy: Subject<number> = { name: 'COPY (limit)', measure: () => copySeconds(copyStore, file) }
    for (const subject of [replace, copy]) await subject.measure(0)
    const measured = await runRounds(options.rounds, [replace, copy], (round, name, seconds) => {
      console.log(`  round ${round + 1}: ${name} ${seconds.toFixed(2)} s`)
    })
    const [ours = [], limit = []] = measured.values()
    const peakMb = memory.peakMb()
    const taking = await measureTaking(options, database, trackId)
    printTable(
      `Promo codes: a file of ${codes.toLocaleString('en-US')}`,
      ['', 'seconds', 'codes/s', 'Peyk ÷ this', 'RSS before MB', 'RSS peak MB'],
      [
        ['Peyk updatePromoCodes', median(ours), codes / median(ours), 1, memory.beforeMb, peakMb],
        ['COPY (limit)', median(limit), codes / median(limit), medianRatio(ours, limit), undefined, undefined],
        ['Peyk takes codes, 500 at once', undefined, taking.codesPerSecond, undefined, undefined, undefined],
      ],
    )
    const goals = [
      { what: 'replace ÷ COPY, in time', value: medianRatio(ours, limit), atMost: 1.5 },
      { what: 'memory growth of the service, MB', value: (peakMb ?? 0) - (memory.beforeMb ?? 0), atMost: 100 },
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
      rssPeakMb: peakMb,
      taking,
    })
  } finally {
    memory.end()
    await Promise.all([peyk.stop(), copyStore.close()])
  }
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

async function checkActive({ store, appId }: PeykDatabase): Promise<void> {
  const stored = await countRows(
    store,
    `promo_codes join promo_sets using (app_id, set_no) where app_id = ${appId} and state = 'active'`,
  )
  if (stored !== codes) throw new Error(`${codes} codes were acknowledged, but ${stored} are in the active set.`)
}

async function prepareCopy(store: PeykDatabase['store']): Promise<void> {
  await store.query(
    raw(`create table promo_copy (app_id integer not null default 1, set_no bigint not null default 1,
      code text collate "C" not null, primary key (app_id, set_no, code))`),
  )
}

async function copySeconds(store: PeykDatabase['store'], file: string): Promise<number> {
  await store.query(raw('truncate promo_copy'))
  const startedAt = performance.now()
  await copyFile(store, 'promo_copy (code)', file)
  return (performance.now() - startedAt) / 1000
}
