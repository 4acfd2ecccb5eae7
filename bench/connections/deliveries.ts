import { createProfiler } from '../measure/profile.ts'
import { median, medianRatio, runRounds } from '../measure/rounds.ts'
import { StatementCounts } from '../measure/statements.ts'
import { cpuBetween, readUsage } from '../measure/usage.ts'
import { type Contender, names } from './contenders.ts'
import { startCrowd } from './crowd.ts'
import { type Found, listThoseToMeasure, type World } from './world.ts'

/** Before a contender is measured for the first time. */
const warmUpSeconds = 2
/** Messages to all that are on their way at a time. */
const atATime = 2

interface Figure {
  deliveries: number
  perSecond: number
  /** CPU time of one delivery with its acknowledgement. */
  ownMicros: number
  databaseMicros: number
  payloadBytes: number
}

/** One message after the other to all who are connected, QoS 1, each acknowledged; with us each stored, too. */
export async function measureDeliveries(world: World): Promise<Found> {
  const { options, cluster, database, logins } = world
  const profiler = options.profile ? await createProfiler() : undefined
  const contenders = new Map<string, Contender>()
  for (const { name, start } of listThoseToMeasure(world, names.ours, names.aedes)) {
    contenders.set(name, await start(profiler?.env))
  }
  const statements = options.statements ? new StatementCounts(database.store) : undefined
  const isWarm = new Set<Contender>()
  let payloadBytes = 0
  // Ours is the first: what it sends says how long the others' payloads are.
  const subjects = [...contenders].map(([name, contender]) => ({
    name,
    measure: async () => {
      const seconds = { warmUp: isWarm.has(contender) ? 0 : warmUpSeconds, measured: options.seconds }
      const measure = () => measureOne(contender, cluster.pid, payloadBytes, seconds)
      const counts = name === names.ours ? statements : undefined
      const figure = await (counts?.during(measure, ({ deliveries }) => deliveries) ?? measure())
      isWarm.add(contender)
      payloadBytes = figure.payloadBytes
      return figure
    },
  }))
  const { measured, othersCores } = await runRounds(options.rounds, subjects, showFigure)
  for (const contender of contenders.values()) await contender.stop()
  await profiler?.print()
  statements?.print('delivery')

  const ours = measured.get(names.ours) ?? []
  const aedes = measured.get(names.aedes) ?? []
  const perCpuSecond = (figures: Figure[], withDatabase: boolean) =>
    figures.map(({ ownMicros, databaseMicros }) => 1e6 / (ownMicros + (withDatabase ? databaseMicros : 0)))
  return {
    title: `Deliveries to ${logins.length.toLocaleString('en-US')} who are connected, QoS 1, acknowledged (${payloadBytes} bytes each)`,
    header: ['', 'deliveries/s', 'CPU µs', 'PostgreSQL µs', 'both µs', 'per CPU second', 'with PostgreSQL'],
    rows: [...measured].map(([name, figures]) => [
      name,
      median(figures.map(({ perSecond }) => perSecond)),
      median(figures.map(({ ownMicros }) => ownMicros)),
      name === names.ours ? median(figures.map(({ databaseMicros }) => databaseMicros)) : undefined,
      median(figures.map(({ ownMicros, databaseMicros }) => ownMicros + databaseMicros)),
      median(perCpuSecond(figures, false)),
      median(perCpuSecond(figures, true)),
    ]),
    goals: [
      {
        what: 'deliveries per CPU second of the process ÷ aedes',
        value: medianRatio(perCpuSecond(ours, false), perCpuSecond(aedes, false)),
        atLeast: 1,
      },
      {
        what: 'CPU time of PostgreSQL for a delivery, µs',
        value: median(ours.map(({ databaseMicros }) => databaseMicros)),
        atMost: 40,
      },
    ],
    figures: { rounds: Object.fromEntries(measured), othersCores, atATime },
  }
}

async function measureOne(
  contender: Contender,
  databasePid: number,
  payloadBytes: number,
  seconds: { warmUp: number; measured: number },
): Promise<Figure> {
  const crowd = await startCrowd()
  const { gathering, pid, url } = contender
  await crowd.tell({ do: 'gather', gathering })
  const spreadFor = (seconds: number) =>
    crowd.tell({ do: 'spread', way: contender.way(payloadBytes), seconds, atATime })
  if (seconds.warmUp > 0) {
    await spreadFor(seconds.warmUp)
    await contender.settle()
  }
  const before = readUsage(pid)
  const databaseBefore = readUsage(databasePid)
  const spread = await spreadFor(seconds.measured)
  await contender.settle()
  const after = readUsage(pid)
  const databaseAfter = readUsage(databasePid)
  await crowd.end()
  const { deliveries, ms } = spread
  return {
    deliveries,
    perSecond: (deliveries * 1000) / ms,
    ownMicros: cpuBetween(before, after, deliveries) ?? Number.NaN,
    // The others have none: while they are measured, it is ours that rests.
    databaseMicros: url === undefined ? 0 : (cpuBetween(databaseBefore, databaseAfter, deliveries) ?? Number.NaN),
    payloadBytes: spread.payloadBytes,
  }
}

function showFigure({ perSecond, ownMicros, databaseMicros }: Figure): string {
  return `${Math.round(perSecond)}/s, ${ownMicros.toFixed(1)} µs and ${databaseMicros.toFixed(1)} µs of PostgreSQL each`
}
