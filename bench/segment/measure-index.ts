import type { Context } from '@peyk/server/base/context.ts'
import sql from 'sql-template-tag'
import type { Percentiles } from '../connections/percentiles.ts'
import { listAudience, makeEvents } from '../data/bodies.ts'
import type { RunningProcess } from '../measure/process.ts'
import { type PeykDatabase, startPeyk } from '../subjects/peyk.ts'
import { askOverHttp } from './ask.ts'
import { checkCounts } from './check-counts.ts'
import { fillIndex } from './fill-index.ts'
import { measureSends, withoutWorker } from './measure-sends.ts'
import { measureTyping } from './measure-typing.ts'
import { readFigure } from './read-figure.ts'
import { shapes } from './shapes.ts'

const questions = 100
const writesPerSecond = 500
const countedByIndex = 'peyk_segment_counts_total{by="index"}'

export interface IndexShapeResult {
  name: string
  found: number
  /** The first question, before columns remember what was asked. */
  firstMs: number
  p50Ms: number
  p95Ms: number
  /** Until a message to it is accepted. */
  sendMs: number
}

export interface IndexResult {
  fillSeconds: number
  /** Memory that the index says it takes, by its own count, for a million installations. */
  megabytesPerMillion: number
  /** How many writes a second there were while it was asked. */
  writesPerSecond: number
  shapes: IndexShapeResult[]
  /** A count that is asked right after a commit and has it, beside the same without: the lag. */
  lagMs: number
  /** In the panel, from a key to the count and the funnel; undefined where there is no Chromium. */
  typing: Percentiles | undefined
  /** Of all questions: the others took longer than the index is waited for, or it did not know. */
  answeredByIndex: number
  /** Counts, with users and funnel, that were compared with SQL over a history of writes. */
  compared: number
}

/** The endpoint with the index, while others write, and asked one question after the other. */
export async function measureIndex(
  database: PeykDatabase,
  { ctx, memoryMb, isCrowd }: { ctx: Context; memoryMb: number; isCrowd: boolean },
): Promise<IndexResult> {
  const peyk = await startPeyk(database, { ...withoutWorker, PEYK_SEGMENT_INDEX_MB: String(memoryMb) })
  const fillSeconds = await fillIndex(peyk, database)
  const installations = await readFigure(peyk, 'peyk_segment_index_installations')
  const bytes = await readFigure(peyk, 'peyk_segment_index_bytes')
  console.log(`  the index was filled in ${fillSeconds.toFixed(1)} s and takes ${(bytes / 1e6).toFixed(0)} MB`)
  const writes = await startWrites(peyk, database)
  const before = await readFigure(peyk, countedByIndex)
  const results = await askShapes(peyk, database)
  const after = await readFigure(peyk, countedByIndex)
  const typing = await measureTyping(peyk, database)
  if (typing)
    console.log(
      `  in the panel, from a key to count and funnel: p50 ${typing.p50Ms.toFixed(0)} ms, p99 ${typing.p99Ms.toFixed(0)} ms`,
    )
  const written = await writes.stop()
  const lagMs = await measureLag(peyk, database)
  const sends = await measureSends(peyk, database)
  const { compared, byIndex } = await checkCounts(peyk, database, { ctx, isEachChapter: !isCrowd })
  if (byIndex < 0.5) throw new Error('SQL answered in the place of the index.')
  return {
    fillSeconds,
    megabytesPerMillion: bytes / installations,
    writesPerSecond: written,
    shapes: results.map((result) => ({ ...result, sendMs: sends.get(result.name) as number })),
    lagMs,
    typing,
    compared,
    answeredByIndex: (after - before) / (questions * shapes.length),
  }
}

/** Each a hundred times, one question after the other. */
async function askShapes(peyk: RunningProcess, { token }: PeykDatabase): Promise<Omit<IndexShapeResult, 'sendMs'>[]> {
  const results: Omit<IndexShapeResult, 'sendMs'>[] = []
  for (const shape of shapes) {
    const ask = askOverHttp(peyk, token, shape)
    const times: number[] = []
    let found = 0
    for (let question = 0; question < questions; question++) {
      const askedMs = performance.now()
      found = await ask()
      times.push(performance.now() - askedMs)
    }
    const firstMs = times[0] as number
    times.sort((a, b) => a - b)
    results.push({ name: shape.name, found, firstMs, p50Ms: at(times, 0.5), p95Ms: at(times, 0.95) })
    console.log(`  ${shape.name}: p50 ${at(times, 0.5).toFixed(1)} ms, p95 ${at(times, 0.95).toFixed(1)} ms`)
  }
  return results
}

function at(sorted: number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] as number
}

/** Events of a back end, evenly, as long as the service keeps up. */
async function startWrites(peyk: RunningProcess, database: PeykDatabase) {
  const events = makeEvents(await listAudience(database.store, database.appId))
  const startedMs = performance.now()
  let sent = 0
  let done = 0
  let refused = 0
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - startedMs) / 1_000) * writesPerSecond)
    for (; sent < due && sent - done - refused < writesPerSecond; sent++) {
      write(peyk, database, events[sent % events.length] as object).then(
        () => done++,
        () => refused++,
      )
    }
  }, 10)
  return {
    stop: async () => {
      clearInterval(timer)
      return done / ((performance.now() - startedMs) / 1_000)
    },
  }
}

async function write(peyk: RunningProcess, { token }: PeykDatabase, event: object): Promise<void> {
  const response = await fetch(`${peyk.url}/api/installations/track`, {
    method: 'POST',
    headers: { 'X-Access-Token': token, 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  })
  if (response.status !== 200) throw new Error(`An event was refused: ${await response.text()}`)
  await response.arrayBuffer()
}

/** After each commit the count is what SQL counts, or the bench ends. */
async function measureLag(peyk: RunningProcess, database: PeykDatabase): Promise<number> {
  const { present } = await listAudience(database.store, database.appId)
  const segment = { all: [{ name: 'bench_lag.count', operator: 'greater_than', value: 0 }] }
  const ask = askOverHttp(peyk, database.token, { segment })
  const [fresh, settled]: [number[], number[]] = [[], []]
  for (let round = 0; round < questions; round++) {
    await write(peyk, database, { installationId: present[round]?.installationId, eventName: 'bench_lag' })
    for (const times of [fresh, settled]) {
      const askedMs = performance.now()
      const found = await ask()
      times.push(performance.now() - askedMs)
      const expected = await countBySql(database)
      if (found !== expected) throw new Error(`The index counts ${found}, SQL ${expected}.`)
    }
  }
  const middle = (times: number[]) =>
    at(
      times.sort((a, b) => a - b),
      0.5,
    )
  return middle(fresh) - middle(settled)
}

async function countBySql({ store, appId }: PeykDatabase): Promise<number> {
  const [row] = await store.query<{ count: number }>(sql`
    select count(*) as count from installations i join event_counters c using (app_id, installation_no)
    where i.app_id = ${appId} and i.uninstalled_at is null and c.event_key = 'bench_lag' and c.count > 0`)
  return row?.count ?? 0
}
