import type { RunningProcess } from '../measure/process.ts'
import { medianRatio, runRounds, type Subject } from '../measure/rounds.ts'
import { printThroughput, summariseAll, type Throughput } from '../measure/throughput.ts'
import { runLoop, writeTokens } from '../subjects/loop.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import type { WebPushInput } from '../subjects/web-push.ts'
import { samplePayload, sendToAll, sendToSome } from './send-to-all.ts'
import type { Found, World } from './world.ts'

const names = { ours: 'Peyk', peer: 'web-push 3.6.7, one by one' }
const warmUp = 500
const peerShare = 1 / 2

/** The same to browsers: encrypted and signed for each. Compared by CPU time, since the peer waits for every answer. */
export async function measureWebPush(
  { options, cluster, simulator }: World,
  peyk: RunningProcess,
  database: PeykDatabase,
  subscriptions: string[],
): Promise<Found> {
  const input: WebPushInput = {
    origin: simulator.providers.endpoints.webPush,
    ca: simulator.providers.ca,
    tokens: await writeTokens(subscriptions),
    count: Math.ceil(subscriptions.length * peerShare),
    warmUp,
    payload: JSON.stringify(await samplePayload(peyk, database, 'web')),
  }
  const subjects: Subject<Throughput>[] = [
    { name: names.ours, measure: () => sendToAll(peyk, database, cluster.pid, 'web') },
    { name: names.peer, measure: () => runLoop('web-push.ts', input) },
  ]
  await sendToSome(peyk, database, cluster.pid, 'web')
  const show = ({ perSecond, cpuMicros = Number.NaN }: Throughput) =>
    `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs`
  const { measured, othersCores } = await runRounds(options.rounds, subjects, show)
  const count = subscriptions.length.toLocaleString('en-US')
  printThroughput(`One message to ${count} browsers, simulator`, 'push', measured)
  const cpu = (name: string) => (measured.get(name) ?? []).map((figure) => figure.cpuMicros ?? Number.NaN)
  return {
    goals: [
      {
        what: 'web push: pushes per core ÷ web-push',
        value: medianRatio(cpu(names.peer), cpu(names.ours)),
        atLeast: 2,
      },
    ],
    figures: { ...summariseAll(measured), othersCores },
  }
}
