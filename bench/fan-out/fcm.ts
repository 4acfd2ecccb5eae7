import type { RunningProcess } from '../measure/process.ts'
import { runRounds, type Subject } from '../measure/rounds.ts'
import { printThroughput, ratioOf, summariseAll, type Throughput } from '../measure/throughput.ts'
import { fetchAccess } from '../subjects/access-token.ts'
import type { FirebaseInput } from '../subjects/firebase-admin.ts'
import { runLoop, writeTokens } from '../subjects/loop.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import type { RawInput } from '../subjects/raw-http2.ts'
import { samplePayload, sendToAll, sendToSome } from './send-to-all.ts'
import type { Found, World } from './world.ts'

const names = {
  ours: 'Peyk',
  loop: 'node:http2 alone',
  peer: 'firebase-admin 13.7.0 sendEach',
}
/** What the service itself uses for a big send: nine tenths of its 1,000 requests at a time, 100 a connection. */
export const connections = 9
export const inFlight = 900
const warmUp = 3_000
/** They have no beginning and no end that would count: a part of the messages tells their rate. */
const loopShare = 1 / 2
const peerShare = 1 / 5

/** Where pushes go, and to whom. */
export interface Place {
  origin: string
  path: string
  tokens: string[]
}

interface Where extends Place {
  name: string
  /** Calls of sendEach at a time. Without delays two are fastest: the second sends while the first connects. */
  peerCalls: number
}

/** What the bare loop is given: the requests that the service sends for the usual message. */
export async function describeLoop(
  { simulator }: World,
  peyk: RunningProcess,
  database: PeykDatabase,
  { origin, path, tokens }: Place,
): Promise<Omit<RawInput, 'count'>> {
  const sample = (await samplePayload(peyk, database, 'android')).message as object
  return {
    ...{ origin, ca: simulator.providers.ca, tokens: await writeTokens(tokens), warmUp, path },
    headers: await fetchAccess(simulator),
    fields: JSON.stringify(sample).slice(1, -1),
    connections,
    inFlight,
  }
}

/** One message to all FCM installations of a database, against bare HTTP/2 and firebase-admin on the same fake. */
export async function measureFcm(
  world: World,
  peyk: RunningProcess,
  database: PeykDatabase,
  where: Where,
): Promise<Found> {
  const { options, cluster, simulator, installations } = world
  const { name } = where
  const sample = (await samplePayload(peyk, database, 'android')).message as { android: { ttl: string } }
  const loop = await describeLoop(world, peyk, database, where)
  const raw: RawInput = { ...loop, count: Math.ceil(installations * loopShare) }
  const { origin, ca, tokens, headers } = loop
  const firebase: FirebaseInput = {
    ...{ origin, ca, tokens, warmUp },
    count: Math.ceil(installations * peerShare),
    accessToken: headers.authorization?.replace('Bearer ', '') as string,
    projectId: simulator.providers.credentials.fcm.project_id,
    message: forFirebase(sample),
    calls: where.peerCalls,
  }
  const subjects: Subject<Throughput>[] = [
    { name: names.ours, measure: () => sendToAll(peyk, database, cluster.pid, 'android') },
    { name: names.loop, measure: () => runLoop('raw-http2.ts', raw) },
    { name: names.peer, measure: () => runLoop('firebase-admin.ts', firebase) },
  ]
  await sendToSome(peyk, database, cluster.pid, 'android')
  const show = ({ perSecond, cpuMicros = Number.NaN }: Throughput) =>
    `${Math.round(perSecond)}/s, ${Math.round(cpuMicros)} µs`
  const { measured, othersCores } = await runRounds(options.rounds, subjects, show)
  printThroughput(
    `One message to ${installations.toLocaleString('en-US')} FCM installations, ${name}`,
    'delivery',
    measured,
  )
  return {
    goals: [
      {
        what: `${name}: deliveries ÷ node:http2 alone`,
        value: ratioOf(measured, names.ours, names.loop),
        atLeast: 0.5,
      },
      { what: `${name}: deliveries ÷ firebase-admin`, value: ratioOf(measured, names.ours, names.peer), atLeast: 3 },
    ],
    figures: { ...summariseAll(measured), othersCores },
  }
}

/** firebase-admin writes the ttl itself, from milliseconds, and the priority in small letters. */
function forFirebase({ android, ...rest }: { android: { ttl: string } }): object {
  return { ...rest, android: { priority: 'high', ttl: Number.parseInt(android.ttl, 10) * 1000 } }
}
