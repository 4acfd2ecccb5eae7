import { androidDevices, createFilledDatabase } from '../data/filled-database.ts'
import { createProfiler } from '../measure/profile.ts'
import { medianRatio, runRounds, type Subject } from '../measure/rounds.ts'
import { printThroughput, summariseAll, type Throughput } from '../measure/throughput.ts'
import { runLoop } from '../subjects/loop.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { giveCredentials, prepareSending } from '../subjects/sending-peyk.ts'
import { describeLoop, type Place } from './fcm.ts'
import { sendToAll } from './send-to-all.ts'
import type { Found, World } from './world.ts'

const names = {
  one: 'Peyk, one process',
  two: 'Peyk, two processes and their primary',
  oneLoop: 'node:http2 alone, one process',
  twoLoops: 'node:http2 alone, two processes',
}

/**
 * The same message by one process and by two, and bare HTTP/2 by as many: what it costs to share the work, and how much of
 * what a core can do is left, in CPU time of Node. Every process has sent as many before it is measured.
 */
export async function measureProcesses(
  world: World,
  simulatorUrl: string,
  findPlace: (database: PeykDatabase) => Promise<Place>,
): Promise<Found> {
  const { options, cluster, simulator, installations } = world
  const database = await createFilledDatabase(cluster, 'processes', androidDevices(installations))
  const sending = await prepareSending(database, simulatorUrl)
  const profiler = options.profile ? await createProfiler() : undefined
  const measureWith = async (processes: number): Promise<Throughput> => {
    const peyk = await sending.start({ PEYK_PROCESSES: String(processes), ...profiler?.env })
    await giveCredentials(peyk, database, simulator)
    for (let warm = 0; warm < processes; warm++) await sendToAll(peyk, database, cluster.pid, 'android')
    const figure = await sendToAll(peyk, database, cluster.pid, 'android')
    await peyk.stop()
    return figure
  }
  const asking = await sending.start({ PEYK_PROCESSES: '1' })
  await giveCredentials(asking, database, simulator)
  const loop = await describeLoop(world, asking, database, await findPlace(database))
  await asking.stop()
  const runLoops = async (processes: number): Promise<Throughput> => {
    const input = { ...loop, count: Math.ceil(installations / 2) }
    const figures = await Promise.all(Array.from({ length: processes }, () => runLoop('raw-http2.ts', input)))
    const sum = (values: (number | undefined)[]) => values.reduce<number>((total, value) => total + (value ?? 0), 0)
    return {
      perSecond: sum(figures.map(({ perSecond }) => perSecond)),
      cpuMicros: sum(figures.map(({ cpuMicros }) => cpuMicros)) / processes,
      rssMb: sum(figures.map(({ rssMb }) => rssMb)),
    }
  }
  const subjects: Subject<Throughput>[] = [
    { name: names.one, measure: () => measureWith(1) },
    { name: names.two, measure: () => measureWith(2) },
    { name: names.oneLoop, measure: () => runLoops(1) },
    { name: names.twoLoops, measure: () => runLoops(2) },
  ]
  const show = ({ perSecond, cpuMicros = Number.NaN }: Throughput) =>
    `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs`
  const { measured, othersCores } = await runRounds(options.rounds, subjects, show)
  await profiler?.print()
  const count = installations.toLocaleString('en-US')
  printThroughput(`One message to ${count} FCM installations by one process and by two, nghttpd`, 'delivery', measured)
  const cpu = (name: string) => (measured.get(name) ?? []).map((figure) => figure.cpuMicros ?? Number.NaN)
  return {
    goals: [
      {
        what: 'CPU per delivery with two processes ÷ with one',
        value: medianRatio(cpu(names.two), cpu(names.one)),
        atMost: 1.1,
      },
      {
        what: 'deliveries per core ÷ node:http2 alone, one process',
        value: medianRatio(cpu(names.oneLoop), cpu(names.one)),
        atLeast: 0.8,
      },
      {
        what: 'deliveries per core ÷ node:http2 alone, two processes',
        value: medianRatio(cpu(names.twoLoops), cpu(names.two)),
        atLeast: 0.8,
      },
    ],
    figures: { ...summariseAll(measured), othersCores },
  }
}
