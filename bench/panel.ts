import { type Percentiles, percentilesOf } from './connections/percentiles.ts'
import { createFilledDatabase, peopleWithTraits } from './data/filled-database.ts'
import { fillHistory } from './data/history.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { measureQuietly } from './measure/quiet.ts'
import { keepResult } from './measure/result.ts'
import { median } from './measure/rounds.ts'
import { printTable } from './measure/table.ts'
import { ask, askLeast } from './panel/ask.ts'
import { measureDrawing } from './panel/drawing.ts'
import { lookLive } from './panel/live.ts'
import { findBigMessage, listQuestions, nameQuestion } from './panel/questions.ts'
import { signIn } from './panel/sign-in.ts'
import { type PeykDatabase, startPeyk } from './subjects/peyk.ts'

const timesPerRound = { whole: 10, quick: 5 }

interface Measured extends Percentiles {
  page: string
  question: string
  countsAudience: boolean
  ratio: number
}

/** What the pages of the panel ask, of an app with much behind it, against `select 1` over the same HTTP. */
export async function benchPanel(options: BenchOptions): Promise<void> {
  const { scale, rounds } = options
  const cluster = await startCluster(options)
  const database = await createFilledDatabase(cluster, 'bench', peopleWithTraits(scale))
  console.log('  making what they did …')
  await fillHistory(database, scale)
  const { least, live, questions, drawn, othersCores } = await measurePanel(database, options)
  const rows = questions.map(({ page, question, p50Ms, p99Ms, ratio }) => [page, question, p50Ms, p99Ms, ratio])
  const title = `Questions of the panel, ${scale.toLocaleString('en-US')} installations; select 1: ${least.p50Ms.toFixed(2)} ms, one look of the live stream: ${live.p50Ms.toFixed(2)} ms`
  printTable(title, ['page', 'question', 'p50 ms', 'p99 ms', '÷ select 1'], rows)
  if (drawn) {
    const drawings = drawn.map(({ area, p50Ms, p99Ms }) => [area, p50Ms, p99Ms])
    printTable('From the last answer to the page that shows it', ['page', 'p50 ms', 'slowest ms'], drawings)
  }
  const slowest = questions.filter((each) => !each.countsAudience).toSorted((a, b) => b.p50Ms - a.p50Ms)[0] as Measured
  const goals = [
    { what: 'p50 ms of the slowest question that counts no audience', value: slowest.p50Ms, atMost: 100 },
    { what: 'one look of the live stream, ms', value: live.p50Ms, atMost: 100 },
    ...(drawn
      ? [{ what: 'from the last answer to the drawn page, the slowest page, ms', value: slowestOf(drawn), atMost: 100 }]
      : []),
  ]
  const figures = {
    postgres: cluster.version,
    rounds,
    installations: scale,
    othersCores,
    least,
    live,
    slowest: slowest.question,
    questions,
    drawn,
  }
  await keepResult('panel', options, goals, figures)
}

function slowestOf(drawn: readonly Percentiles[]): number {
  return Math.max(...drawn.map(({ p50Ms }) => p50Ms))
}

/** Each question a few times in a row, then the next, and all again in the next round. */
async function measurePanel(database: PeykDatabase, { rounds, isQuick }: BenchOptions) {
  const peyk = await startPeyk(database)
  const cookie = await signIn(database)
  const questions = await listQuestions(database)
  const bigMessage = await findBigMessage(database)
  const askers = [
    () => askLeast(peyk),
    () => lookLive(database, bigMessage),
    ...questions.map((question) => () => ask(peyk, cookie, question)),
  ]
  const times = askers.map((): number[] => [])
  const disturbances: number[] = []
  for (let round = 0; round < rounds; round++) {
    const { figure, othersCores } = await measureQuietly(() =>
      timeAll(askers, isQuick ? timesPerRound.quick : timesPerRound.whole),
    )
    for (const [index, ms] of figure.entries()) times[index]?.push(...ms)
    disturbances.push(othersCores ?? Number.NaN)
  }
  const [least, live, ...measured] = times.map(percentilesOf) as [Percentiles, Percentiles, ...Percentiles[]]
  const { figure: drawn } = await measureQuietly(() => measureDrawing(peyk.url, cookie, rounds))
  return {
    least,
    live,
    drawn,
    othersCores: median(disturbances),
    questions: questions.map((question, index): Measured => {
      const { page, countsAudience = false } = question
      const own = measured[index] as Percentiles
      return { page, question: nameQuestion(question), countsAudience, ...own, ratio: own.p50Ms / least.p50Ms }
    }),
  }
}

async function timeAll(askers: (() => Promise<void>)[], times: number): Promise<number[][]> {
  const found: number[][] = []
  for (const ask of askers) {
    await ask()
    const own: number[] = []
    for (let time = 0; time < times; time++) {
      const startedAt = performance.now()
      await ask()
      own.push(performance.now() - startedAt)
    }
    found.push(own)
  }
  return found
}
