import sql from 'sql-template-tag'
import { makeMessages } from './data/bodies.ts'
import { androidDevices, createFilledDatabase } from './data/filled-database.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import type { RunningProcess } from './measure/process.ts'
import { createProfiler } from './measure/profile.ts'
import { keepResult } from './measure/result.ts'
import { median, runRounds, type Subject } from './measure/rounds.ts'
import { StatementCounts } from './measure/statements.ts'
import { printTable } from './measure/table.ts'
import { cpuBetween, readUsage } from './measure/usage.ts'
import { startFront } from './subjects/front.ts'
import { type PersonalLoad, startPersonalLoad } from './subjects/personal.ts'
import type { LoadOrder, LoadReport } from './subjects/personal-load.ts'
import type { PeykDatabase } from './subjects/peyk.ts'
import { callPeyk, giveCredentials, prepareSending } from './subjects/sending-peyk.ts'
import { startSimulator } from './subjects/simulator.ts'

const users = 100_000
/** The rate that must be kept up, and what is beyond; of half of it no goal speaks, and a quick run leaves it out. */
const goalRate = 2_000
const rates = { whole: [goalRate / 2, goalRate, goalRate * 2], quick: [goalRate, goalRate * 2] }
/** The goal's rate is kept up for so much longer than the others. */
const sustainedTimes = 4
const warmUpSeconds = 4
const sampleMs = 500
const besideName = `${(goalRate / 2).toLocaleString('en-US')}/s beside a campaign`
/** One process accepts them, and another one sends them. */
const dividedPart = 'divided'

interface Figure extends LoadReport {
  asked: number
  /** Batches in the work-list, every half second. */
  backlog: number[]
  cpuMicros: number | undefined
  databaseCpuMicros: number | undefined
  rssMb: number | undefined
}

/** Personal messages at a fixed rate: how long from the request until the push is at the provider, and what piles up. */
export async function benchPersonal(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const simulator = await startSimulator()
  const database = await createFilledDatabase(cluster, 'bench', androidDevices(users))
  const present = Array.from({ length: users }, (_, index) => ({ userId: `android-${index + 1}`, installationId: '' }))
  const load = await startPersonalLoad(simulator, makeMessages({ present, gone: present }))
  const sending = await prepareSending(database, await startFront(simulator, load.origin))
  const profiler = options.profile ? await createProfiler() : undefined
  const isDivided = options.parts.includes(dividedPart)
  const peyk = await sending.start({ ...profiler?.env, ...(isDivided && { PEYK_ROLES: 'api' }) })
  const worker = isDivided ? await sending.start({ PEYK_ROLES: 'worker' }) : undefined
  await giveCredentials(peyk, database, simulator)
  const scene = { load, peyk, worker, database, databasePid: cluster.pid }
  const measure = (perSecond: number, seconds: number) => measureRate(scene, { perSecond, seconds })
  await measure(goalRate / 2, warmUpSeconds)
  const statements = options.statements ? new StatementCounts(database.store) : undefined
  const counted = (work: () => Promise<Figure>) => statements?.during(work, ({ sent }) => sent) ?? work()
  const subjects: Subject<Figure>[] = rates[options.isQuick ? 'quick' : 'whole'].map((rate) => ({
    name: nameOf(rate),
    measure: () =>
      counted(() => measure(rate, options.seconds * (rate === goalRate && !options.isQuick ? sustainedTimes : 1))),
  }))
  subjects.push({ name: besideName, measure: () => measureBesideCampaign(scene, options.seconds) })
  const { measured, othersCores } = await runRounds(options.rounds, subjects, showFigure)
  await worker?.stop()
  await peyk.stop()
  await profiler?.print()
  statements?.print('message')

  const whole = measured.get(nameOf(goalRate)) ?? []
  const beside = measured.get(besideName) ?? []
  const beyond = measured.get(nameOf(goalRate * 2)) ?? []
  printRates([...measured.values()])
  const kept = (figures: Figure[]) => median(figures.map(({ arrivedInTime, sent }) => arrivedInTime / sent))
  const goals = [
    {
      what: `request to provider at ${goalRate}/s, p50 ms`,
      value: median(whole.map((figure) => figure.arrival.p50Ms)),
      atMost: 15,
    },
    {
      what: `request to provider at ${goalRate}/s, p99 ms`,
      value: median(whole.map((figure) => figure.arrival.p99Ms)),
      atMost: 60,
    },
    {
      what: `request to provider at ${goalRate / 2}/s beside a campaign, p99 ms`,
      value: median(beside.map((figure) => figure.arrival.p99Ms)),
      atMost: 120,
    },
    { what: `pushed while ${goalRate * 2}/s were sent, of all`, value: kept(beyond), atLeast: 0.99 },
  ]
  await keepResult('personal', options, goals, {
    postgres: cluster.version,
    rounds: options.rounds,
    othersCores,
    rates: Object.fromEntries(measured),
  })
}

function nameOf(rate: number): string {
  return `${rate.toLocaleString('en-US')}/s`
}

interface Scene {
  load: PersonalLoad
  peyk: RunningProcess
  /** Where it is another process that sends. */
  worker: RunningProcess | undefined
  database: PeykDatabase
  databasePid: number
}

/** Half of the goal's rate while a campaign to all users takes what else the provider takes. */
async function measureBesideCampaign(scene: Scene, seconds: number): Promise<Figure> {
  const { peyk, database } = scene
  const campaign = { target: {}, content: 'The sale has begun', notification: { title: 'Sale', body: 'Until Sunday' } }
  const { id } = await callPeyk<{ id: string }>(peyk, database, 'POST', '/api/push/byQuery', campaign)
  const figure = await measureRate(scene, { perSecond: goalRate / 2, seconds, campaignId: id })
  await callPeyk(peyk, database, 'DELETE', `/api/messages/${id}`, {})
  return figure
}

async function measureRate(scene: Scene, order: Omit<LoadOrder, 'url' | 'path'>): Promise<Figure> {
  const { load, peyk, worker, database, databasePid } = scene
  const before = readUsage(peyk.pid)
  const workerBefore = worker && readUsage(worker.pid)
  const databaseBefore = readUsage(databasePid)
  const watched = watchBacklog(database)
  const path = `/api/push/toUsers?access_token=${database.token}`
  const report = await load.run({ url: peyk.url, path, ...order })
  const backlog = watched.end()
  const after = readUsage(peyk.pid)
  const workerAfter = worker && readUsage(worker.pid)
  const databaseAfter = readUsage(databasePid)
  const { sent, accepted, arrived, refused } = report
  if (accepted < sent || arrived < accepted)
    throw new Error(`${sent} were sent, ${accepted} accepted, ${arrived} pushed. ${refused.join(' ')}`)
  return {
    ...report,
    asked: order.perSecond,
    backlog,
    cpuMicros: (cpuBetween(before, after, sent) ?? Number.NaN) + (cpuBetween(workerBefore, workerAfter, sent) ?? 0),
    databaseCpuMicros: cpuBetween(databaseBefore, databaseAfter, sent),
    rssMb: after?.rssMb,
  }
}

function watchBacklog({ store }: PeykDatabase): { end(): number[] } {
  const samples: number[] = []
  const timer = setInterval(async () => {
    const [row] = await store.query<{ count: number }>(
      sql`select count(*)::int as count from delivery_batches where state = 'queued'`,
    )
    samples.push(row?.count ?? Number.NaN)
  }, sampleMs)
  return {
    end: () => {
      clearInterval(timer)
      return samples
    },
  }
}

function showFigure({ arrival, backlog, arrivedInTime, sent }: Figure): string {
  const share = ((100 * arrivedInTime) / sent).toFixed(1)
  return `p50 ${arrival.p50Ms.toFixed(1)} ms, p99 ${arrival.p99Ms.toFixed(0)} ms, ${share} % in time, backlog ${backlog.join(' ')}`
}

function printRates(groups: Figure[][]): void {
  const rows = groups.map((figures) => {
    const middle = (pick: (figure: Figure) => number | undefined) =>
      median(figures.map((figure) => pick(figure) ?? Number.NaN))
    return [
      middle(({ asked }) => asked),
      middle(({ arrivedInTime, sent }) => arrivedInTime / sent),
      middle(({ answer }) => answer.p50Ms),
      middle(({ answer }) => answer.p99Ms),
      middle(({ arrival }) => arrival.p50Ms),
      middle(({ arrival }) => arrival.p99Ms),
      middle(({ backlog }) => Math.max(...backlog)),
      middle(({ backlog }) => backlog.at(-1)),
      middle(({ cpuMicros }) => cpuMicros),
      middle(({ databaseCpuMicros }) => databaseCpuMicros),
      middle(({ rssMb }) => rssMb),
    ]
  })
  const header = [
    'messages/s',
    'pushed in time',
    '200 p50 ms',
    'p99',
    'push p50 ms',
    'p99',
    'most batches',
    'at the end',
    'CPU µs',
    'PostgreSQL µs',
    'RSS MB',
  ]
  printTable('toUsers at a fixed rate, to the push at the provider', header, rows)
}
