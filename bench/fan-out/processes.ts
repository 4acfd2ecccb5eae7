import { androidDevices, createFilledDatabase } from '../data/filled-database.ts'
import { medianRatio, runRounds, type Subject } from '../measure/rounds.ts'
import { printThroughput, summariseAll, type Throughput } from '../measure/throughput.ts'
import { giveCredentials, prepareSending } from '../subjects/sending-peyk.ts'
import { sendToAll, sendToSome } from './send-to-all.ts'
import type { Found, World } from './world.ts'

const names = { one: 'Peyk, one process', two: 'Peyk, two processes and their primary' }

/** The same message by one process and by two: what it costs to share the work, in CPU time of all of them. */
export async function measureProcesses(world: World, simulatorUrl: string): Promise<Found> {
  const { options, cluster, simulator, installations } = world
  const database = await createFilledDatabase(cluster, 'processes', androidDevices(installations))
  const sending = await prepareSending(database, simulatorUrl)
  const measureWith = async (processes: number): Promise<Throughput> => {
    const peyk = await sending.start({ PEYK_PROCESSES: String(processes) })
    await giveCredentials(peyk, database, simulator)
    await sendToSome(peyk, database, cluster.pid, 'android')
    const figure = await sendToAll(peyk, database, cluster.pid, 'android')
    await peyk.stop()
    return figure
  }
  const subjects: Subject<Throughput>[] = [
    { name: names.one, measure: () => measureWith(1) },
    { name: names.two, measure: () => measureWith(2) },
  ]
  const show = ({ perSecond, cpuMicros = Number.NaN }: Throughput) =>
    `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs`
  const { measured, othersCores } = await runRounds(options.rounds, subjects, show)
  const count = installations.toLocaleString('en-US')
  printThroughput(`One message to ${count} FCM installations by one process and by two, nghttpd`, 'delivery', measured)
  const cpu = (name: string) => (measured.get(name) ?? []).map((figure) => figure.cpuMicros ?? Number.NaN)
  const ratio = medianRatio(cpu(names.two), cpu(names.one))
  return {
    goals: [{ what: 'CPU per delivery with two processes ÷ with one', value: ratio, atMost: 1.1 }],
    figures: { ...summariseAll(measured), othersCores },
  }
}
