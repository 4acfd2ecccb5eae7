import { randomBytes } from 'node:crypto'
import type { Context } from '@peyk/server/base/context.ts'
import { realEndpoints } from '@peyk/server/base/external.ts'
import { createSecretBox } from '@peyk/server/base/secrets/secret-box.ts'
import { pino } from 'pino'
import { createFilledDatabase, crowd, peopleWithTraits } from './data/filled-database.ts'
import { fillParseDevices } from './data/parse-devices.ts'
import { type Cluster, openDatabase, startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import type { RunningProcess } from './measure/process.ts'
import { keepResult } from './measure/result.ts'
import { printTable } from './measure/table.ts'
import { askByHand, askOverHttp, askParse, askPeyk } from './segment/ask.ts'
import {
  type CrowdedResult,
  type DryRunResult,
  measureCrowdedDryRuns,
  measureDryRuns,
  prepareDryRuns,
} from './segment/measure-dry-runs.ts'
import { type IndexResult, measureIndex } from './segment/measure-index.ts'
import { measureSends, withoutWorker } from './segment/measure-sends.ts'
import { measureShape, type ShapeResult } from './segment/measure-shape.ts'
import { shapes } from './segment/shapes.ts'
import { startParse } from './subjects/parse.ts'
import { type PeykDatabase, startPeyk } from './subjects/peyk.ts'

/** Counting and selecting installations by twelve shapes of rules, against SQL written by hand for each. */
export async function benchSegment(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  // A quick run has as many as an index needs, of whom some have uninstalled.
  const scale = Math.max(options.scale, fewestForIndex)
  const isCrowd = scale > usualScale
  const content = isCrowd ? crowd(scale) : peopleWithTraits(scale)
  const database = await createFilledDatabase(cluster, 'bench', content)
  if (options.parts.includes('dry-runs')) {
    await measurePlans(options, database, cluster)
    return
  }
  const { results, sends } = isCrowd
    ? { results: [], sends: new Map<string, number>() }
    : await measureSql(options, database, scale)
  const ctx = contextOf(database, () => new Date())
  const index = await measureIndex(database, { ctx, memoryMb: indexMb, isCrowd })
  printIndex(scale, index, { results, sends })
  const plans = await measurePlans(options, database, cluster)
  const worst = (field: 'countRatio' | 'selectRatio') => Math.max(...results.map((result) => result[field]))
  const goals = [
    ...(isCrowd
      ? []
      : [
          { what: 'count ÷ by hand, worst shape', value: worst('countRatio'), atMost: 1.2 },
          { what: 'select ÷ by hand, worst shape', value: worst('selectRatio'), atMost: 1.2 },
        ]),
    { what: 'count by the index over HTTP, p95 in ms, worst shape', value: worstP95(index), atMost: 50 },
    ...(index.typing
      ? [{ what: 'from a key in the panel to count and funnel, p50 ms', value: index.typing.p50Ms, atMost: 100 }]
      : []),
  ]
  const { rounds } = options
  await keepResult('segment', options, goals, {
    postgres: cluster.version,
    rounds,
    installations: scale,
    shapes: results.map((result) => ({ ...result, sendMs: sends.get(result.name) })),
    index,
    plans,
  })
}

interface PlanResult {
  dryRuns: DryRunResult[]
  crowded: CrowdedResult
}

/** Dry runs over large audiences, by SQL alone: with an index the plans of small audiences cost less. */
async function measurePlans(options: BenchOptions, database: PeykDatabase, cluster: Cluster): Promise<PlanResult> {
  await prepareDryRuns(database)
  const peyk = await startPeyk(database, { ...withoutWorker, PEYK_SEGMENT_INDEX_MB: '0' })
  const dryRuns = await measureDryRuns(peyk, database, { cluster, rounds: options.rounds })
  const crowded = await measureCrowdedDryRuns(peyk, database)
  await peyk.stop()
  printTable(
    'Dry runs',
    ['message', 'installations', 'ms', 'PostgreSQL CPU ms', 'service CPU ms', 'cores busy with others'],
    dryRuns.map((one) => [one.name, one.count, one.ms, one.postgresMs, one.serviceMs, one.othersCores]),
  )
  console.log(`ten at once: ${crowded.answered} answered, ${crowded.refused} refused, in ${crowded.ms.toFixed(0)} ms`)
  return { dryRuns, crowded }
}

/** Above, SQL takes so long that it is asked only to compare. */
const usualScale = 1_000_000
const fewestForIndex = 120_000
const indexMb = 8_192

interface SqlResult {
  results: ShapeResult[]
  /** By shape: until a message to it is accepted, in ms. */
  sends: Map<string, number>
}

async function measureSql(options: BenchOptions, database: PeykDatabase, scale: number): Promise<SqlResult> {
  const peyk = await startPeyk(database, { ...withoutWorker, PEYK_SEGMENT_INDEX_MB: '0' })
  const parse = options.isQuick ? undefined : await prepareParse(database)
  const results = await measureShapes(options.rounds, database, peyk, parse)
  printShapes(scale, results)
  const sends = await measureSends(peyk, database)
  await peyk.stop()
  return { results, sends }
}

function worstP95({ shapes }: IndexResult): number {
  return Math.max(...shapes.map((shape) => shape.p95Ms))
}

/** It takes seconds for some shapes, and no goal speaks of it: a quick run leaves it out. */
async function prepareParse({ connection, appId }: PeykDatabase): Promise<RunningProcess> {
  const parse = await startParse(connection)
  await fillParseDevices(parse.url, connection, appId)
  return parse
}

async function measureShapes(
  rounds: number,
  database: PeykDatabase,
  peyk: RunningProcess,
  parse: RunningProcess | undefined,
): Promise<ShapeResult[]> {
  const at = new Date()
  const ctx = contextOf(database, () => at)
  const results: ShapeResult[] = []
  for (const shape of shapes) {
    const result = await measureShape(rounds, shape, {
      ours: askPeyk(ctx, shape, 'count'),
      byHand: askByHand(ctx, shape, 'count'),
      oursSelect: askPeyk(ctx, shape, 'select'),
      byHandSelect: askByHand(ctx, shape, 'select'),
      overHttp: askOverHttp(peyk, database.token, shape),
      ...(parse && shape.parse && { parse: askParse(parse, shape.parse(at)) }),
    })
    results.push(result)
    console.log(`  ${shape.name}: ${result.countMs.toFixed(1)} ms, ${result.countRatio.toFixed(2)} × by hand`)
  }
  return results
}

/** As within the service, but without an index. */
function contextOf({ connection, appId }: PeykDatabase, now: () => Date): Context {
  return {
    app: { id: appId, label: 'bench' },
    store: openDatabase(connection, 1),
    now,
    log: pino({ level: 'silent' }),
    external: { secretBox: createSecretBox([randomBytes(32)]), real: realEndpoints, webPushHosts: [] },
  }
}

function printShapes(scale: number, results: ShapeResult[]): void {
  const rows = results.map((result) => [
    result.name,
    result.found,
    result.countMs,
    result.countByHandMs,
    result.countRatio,
    result.selectMs,
    result.selectByHandMs,
    result.selectRatio,
    result.overHttpMs,
    result.parseMs,
  ])
  const header = [
    'shape',
    'found',
    'count ms',
    'by hand',
    'ratio',
    'select ms',
    'by hand',
    'ratio',
    'HTTP ms',
    'Parse ms',
  ]
  printTable(`Segments of ${scale.toLocaleString('en-US')} installations`, header, rows)
}

function printIndex(scale: number, index: IndexResult, { results, sends }: SqlResult): void {
  const bySql = new Map(results.map(({ name, overHttpMs }) => [name, overHttpMs]))
  const rows = index.shapes.map(({ name, found, firstMs, p50Ms, p95Ms, sendMs }) => [
    ...[name, found, firstMs, p50Ms, p95Ms],
    ...[bySql.get(name), sendMs, sends.get(name)],
  ])
  const title = `The index of ${scale.toLocaleString('en-US')} installations, over HTTP, at ${Math.round(index.writesPerSecond)} writes/s`
  printTable(title, ['shape', 'found', 'first ms', 'p50 ms', 'p95 ms', 'SQL ms', 'send ms', 'by SQL'], rows)
  console.log(
    `filled in ${index.fillSeconds.toFixed(1)} s, ${index.megabytesPerMillion.toFixed(0)} MB a million, ` +
      `${index.lagMs.toFixed(1)} ms behind commits, ${(index.answeredByIndex * 100).toFixed(1)} % answered by the index; ` +
      `${index.compared} counts are those of SQL`,
  )
}
