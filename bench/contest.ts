import type { Store } from '@peyk/server/base/store/store.ts'
import { raw } from 'sql-template-tag'
import { type Cluster, openDatabase } from './measure/cluster.ts'
import { type HttpSubject, measureHttp } from './measure/http-load.ts'
import type { BenchOptions } from './measure/options.ts'
import { createProfiler } from './measure/profile.ts'
import { type Rounds, runRounds, type Subject } from './measure/rounds.ts'
import { StatementCounts } from './measure/statements.ts'
import type { Throughput } from './measure/throughput.ts'
import { startBareFastify } from './subjects/limit.ts'
import { createParseClass, parseHeaders, startParse } from './subjects/parse.ts'
import { type PeykDatabase, startPeyk } from './subjects/peyk.ts'

export const names = { ours: 'Peyk', limit: 'bare Fastify (limit)', peer: 'Parse Server 9.10.0' }

/** One endpoint, and what Parse Server does in its place: saving an object of the same fields. */
export interface Contest {
  path: string
  headers: Record<string, string>
  bodies: string[]
  /** What one request brings. */
  unit: string
  /** Where no goal speaks of the limit, a quick run leaves it out. */
  hasGoalForLimit: boolean
  countStored(store: Store): Promise<number>
  parseClass: string
  parseFields: Record<string, string>
}

const connections = 64
/** All at the same time. */
const warmUpSeconds = 4

/** The service, the limit and the peer under the same load in turn, all on one PostgreSQL. */
export async function runContest(
  options: BenchOptions,
  cluster: Cluster,
  database: PeykDatabase,
  contest: Contest,
): Promise<Rounds<Throughput>> {
  const { generator, rounds, seconds, isQuick } = options
  const parseConnection = await cluster.createDatabase(`parse_${contest.parseClass.toLowerCase()}`)
  const parseStore = openDatabase(parseConnection, 1)
  const profiler = options.profile ? await createProfiler() : undefined
  const [peyk, parse, limit] = await Promise.all([
    startPeyk(database, profiler?.env),
    startParse(parseConnection),
    isQuick && !contest.hasGoalForLimit ? undefined : startBareFastify(database),
  ])
  await createParseClass(parse.url, contest.parseClass, contest.parseFields)
  const load = {
    headers: { 'Content-Type': 'application/json', ...contest.headers },
    bodies: contest.bodies,
    connections,
  }
  const subjects: HttpSubject[] = [
    {
      name: names.ours,
      process: peyk,
      path: contest.path,
      load,
      countStored: () => contest.countStored(database.store),
    },
    ...(limit ? [{ name: names.limit, process: limit, path: contest.path, load }] : []),
    {
      name: names.peer,
      process: parse,
      path: `/parse/classes/${contest.parseClass}`,
      load: { ...load, headers: parseHeaders },
      countStored: () => countRows(parseStore, `"${contest.parseClass}"`),
    },
  ]
  const statements = options.statements ? new StatementCounts(database.store) : undefined
  const inTurn = subjects
    .map((subject) => measureHttp(subject, generator, cluster.pid, seconds))
    .map((subject) => (subject.name === names.ours && statements ? counted(subject, statements, seconds) : subject))
  const warmUps = subjects.map((subject) => measureHttp(subject, generator, cluster.pid, warmUpSeconds))
  await Promise.all(warmUps.map((subject) => subject.measure(0)))
  const result = await runRounds(rounds, inTurn, ({ perSecond }) => `${Math.round(perSecond)}/s`)
  await Promise.all([peyk.stop(), limit?.stop(), parse.stop()])
  await profiler?.print()
  statements?.print(contest.unit)
  return result
}

function counted(subject: Subject<Throughput>, statements: StatementCounts, seconds: number): Subject<Throughput> {
  return {
    name: subject.name,
    measure: (round) =>
      statements.during(
        () => subject.measure(round),
        ({ perSecond }) => perSecond * seconds,
      ),
  }
}

export async function countRows(store: Store, table: string): Promise<number> {
  const [row] = await store.query<{ count: number }>(raw(`select count(*)::bigint as count from ${table}`))
  return row?.count ?? 0
}
