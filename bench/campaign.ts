import sql from 'sql-template-tag'
import { androidDevices, createFilledDatabase } from './data/filled-database.ts'
import { sendToAll, sendToSome } from './fan-out/send-to-all.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import type { RunningProcess } from './measure/process.ts'
import { createProfiler } from './measure/profile.ts'
import { keepResult } from './measure/result.ts'
import { medianRatio, runRounds, type Subject } from './measure/rounds.ts'
import { StatementCounts } from './measure/statements.ts'
import { printThroughput, summariseAll, type Throughput } from './measure/throughput.ts'
import { startFront } from './subjects/front.ts'
import { startNghttpd } from './subjects/nghttpd.ts'
import type { PeykDatabase } from './subjects/peyk.ts'
import { callPeyk, giveCredentials, prepareSending } from './subjects/sending-peyk.ts'
import { startSimulator } from './subjects/simulator.ts'

const names = { plain: 'plain', campaign: 'category, 3 languages', local: 'the same at local time' }
/** Of the scale: a usual send. */
const share = 1 / 10
/** UTC-11 to UTC+12 and those that are a part of an hour off: as many as people live in. */
const zones = 38

/**
 * What a campaign costs on top of a plain send: preferences, quiet hours in many zones, and caps, looked at for each user; three
 * languages; and the local time of each.
 */
export async function benchCampaign(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const simulator = await startSimulator()
  const installations = Math.ceil(options.scale * (options.isQuick ? 1 : share))
  const path = `/v1/projects/${simulator.providers.credentials.fcm.project_id}/messages:send`
  const origin = await startNghttpd(simulator, path)
  const front = origin && (await startFront(simulator, origin))
  const database = await createFilledDatabase(cluster, 'campaign', androidDevices(installations))
  await spreadOverZones(database)
  const sending = await prepareSending(database, front ?? simulator.url)
  const profiler = options.profile ? await createProfiler() : undefined
  const peyk = await sending.start(profiler?.env)
  await giveCredentials(peyk, database, simulator)
  await setRules(peyk, database)
  const statements = new Map<string, StatementCounts>()
  const subjectOf = (name: string, more: () => object): Subject<Throughput> => {
    const send = () => sendToAll(peyk, database, cluster.pid, 'android', more())
    if (!options.statements) return { name, measure: send }
    const counts = new StatementCounts(database.store)
    statements.set(name, counts)
    return { name, measure: () => counts.during(send, () => installations) }
  }
  const subjects = [
    subjectOf(names.plain, () => ({})),
    subjectOf(names.campaign, () => campaign),
    subjectOf(names.local, () => ({ ...campaign, sendAt: { local: justPassedEverywhere() } })),
  ]
  await sendToSome(peyk, database, cluster.pid, 'android')
  const show = (figure: Throughput) => `${Math.round(figure.perSecond)}/s, ${Math.round(cpuOf(figure))} µs`
  const { measured, othersCores } = await runRounds(options.rounds, subjects, show)
  printThroughput(`One message to ${installations.toLocaleString('en-US')} in ${zones} zones`, 'delivery', measured)
  for (const counts of statements.values()) counts.print('delivery')
  await peyk.stop()
  await profiler?.print()
  const cpu = (name: string) => (measured.get(name) ?? []).map(cpuOf)
  await keepResult(
    'campaign',
    options,
    [
      {
        what: 'CPU of a delivery with a category, in three languages ÷ of a plain one',
        value: medianRatio(cpu(names.campaign), cpu(names.plain)),
        atMost: 1.3,
      },
      {
        what: 'CPU of the same at local time ÷ of a plain one',
        value: medianRatio(cpu(names.local), cpu(names.plain)),
        atMost: 1.3,
      },
    ],
    { postgres: cluster.version, rounds: options.rounds, installations, zones, ...summariseAll(measured), othersCores },
  )
}

const campaign = {
  category: 'news',
  contents: { fa: { content: 'سلام' }, de: { content: 'Hallo' } },
}

/** So that everybody is due at once: on the last clocks on earth, those of UTC−12, it was half an hour ago. */
function justPassedEverywhere(): string {
  return new Date(Date.now() - 12.5 * 3_600_000).toISOString().slice(0, 19)
}

/** Of the service and of PostgreSQL together. */
function cpuOf({ cpuMicros = Number.NaN, databaseCpuMicros = Number.NaN }: Throughput): number {
  return cpuMicros + databaseCpuMicros
}

async function spreadOverZones({ store, appId }: PeykDatabase): Promise<void> {
  const names = Intl.supportedValuesOf('timeZone').filter(
    (_, index, all) => index % Math.floor(all.length / zones) === 0,
  )
  await store.query(sql`
    update installations set time_zone = (${names.slice(0, zones)}::text[])[1 + installation_no % ${zones}],
      language = coalesce(language, (array['de', 'en'])[1 + installation_no % 2])
    where app_id = ${appId}`)
  await store.query(sql`analyze installations`)
}

/** Rules that are asked of every user and hold nobody back, so that both sends are of the same size. */
async function setRules(peyk: RunningProcess, database: PeykDatabase): Promise<void> {
  await callPeyk(peyk, database, 'POST', '/api/categories', { id: 'news', name: { en: 'News' } })
  // A minute of the day in which no zone is: their clocks show the same minute, or half or three quarters of an hour more.
  const minute = (new Date().getUTCMinutes() + 40) % 60
  const clock = (at: number) => `03:${String(at).padStart(2, '0')}`
  await callPeyk(peyk, database, 'PUT', '/api/app', {
    quietHours: { from: clock(minute), to: minute === 59 ? '04:00' : clock(minute + 1) },
    caps: [
      { count: 100, window: '24h' },
      { count: 100, window: '7d', categories: ['news'] },
    ],
  })
}
