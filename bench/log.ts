import sql from 'sql-template-tag'
import { listAudience, makeEvents, makeMessages } from './data/bodies.ts'
import { fillPeople } from './data/people.ts'
import { type Cluster, startOwnCluster } from './measure/cluster.ts'
import { type HttpSubject, measureHttp } from './measure/http-load.ts'
import type { BenchOptions } from './measure/options.ts'
import { median, runRounds, type Subject } from './measure/rounds.ts'
import { printTable } from './measure/table.ts'
import type { Throughput } from './measure/throughput.ts'
import { fillIndex } from './segment/fill-index.ts'
import { createPeykDatabase, type PeykDatabase, startPeyk } from './subjects/peyk.ts'

/** Enough for an index of segments. */
const installations = 120_000

interface Variant {
  name: string
  walLevel: string
  indexMb: number
}

const variants: Variant[] = [
  { name: 'replica', walLevel: 'replica', indexMb: 0 },
  { name: 'logical, nobody follows', walLevel: 'logical', indexMb: 0 },
  { name: 'logical, the index follows', walLevel: 'logical', indexMb: 1_024 },
]

interface Figures extends Throughput {
  logBytes: number
}

/** What it costs the paths that are used most that PostgreSQL's log can be followed, and that it is. */
export async function benchLog(options: BenchOptions): Promise<void> {
  const sides = []
  for (const variant of variants) {
    const cluster = await startOwnCluster({ wal_level: variant.walLevel })
    const database = await createPeykDatabase(await cluster.createDatabase('bench'))
    await fillPeople(database.connection, database.appId, installations * 0.8, installations)
    const peyk = await startPeyk(database, { PEYK_SEGMENT_INDEX_MB: String(variant.indexMb) })
    if (variant.indexMb > 0) await fillIndex(peyk, database)
    sides.push({ variant, cluster, database, peyk })
  }
  for (const path of ['/api/installations/track', '/api/push/toUsers']) {
    const subjects: Subject<Figures>[] = []
    for (const { variant, cluster, database, peyk } of sides) {
      const audience = await listAudience(database.store, database.appId)
      const bodies = path.endsWith('track') ? makeEvents(audience) : makeMessages(audience)
      const headers = { 'Content-Type': 'application/json', 'X-Access-Token': database.token }
      const load = { headers, bodies: bodies.map((body) => JSON.stringify(body)), connections: 64 }
      const subject: HttpSubject = { name: variant.name, process: peyk, path, load }
      subjects.push(withLog(subject, { options, cluster, database }))
    }
    for (const subject of subjects) await subject.measure(0)
    const { measured } = await runRounds(options.rounds, subjects, ({ perSecond }) => `${Math.round(perSecond)}/s`)
    printLog(path, measured)
  }
}

function withLog(
  subject: HttpSubject,
  { options, cluster, database }: { options: BenchOptions; cluster: Cluster; database: PeykDatabase },
): Subject<Figures> {
  const measuring = measureHttp(subject, options.generator, cluster.pid, options.seconds)
  return {
    name: subject.name,
    measure: async (round) => {
      const before = await readLogEnd(database)
      const figures = await measuring.measure(round)
      const written = (await readLogEnd(database)) - before
      return { ...figures, logBytes: written / (figures.perSecond * options.seconds) }
    },
  }
}

async function readLogEnd({ store }: PeykDatabase): Promise<number> {
  const [row] = await store.query<{ position: number }>(
    sql`select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as position`,
  )
  return row?.position ?? 0
}

function printLog(path: string, measured: Map<string, Figures[]>): void {
  const rows = [...measured].map(([name, rounds]) => {
    const middle = (of: (figures: Figures) => number | undefined) => median(rounds.map((one) => of(one) ?? Number.NaN))
    return [
      name,
      middle((one) => one.perSecond),
      middle((one) => one.cpuMicros),
      middle((one) => one.databaseCpuMicros),
      middle((one) => (one.cpuMicros ?? 0) + (one.databaseCpuMicros ?? 0)),
      middle((one) => one.logBytes),
    ]
  })
  printTable(path, ['wal_level', 'a second', 'CPU µs', 'PostgreSQL µs', 'both µs', 'log, bytes'], rows)
}
