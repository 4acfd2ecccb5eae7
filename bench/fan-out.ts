import { fillDevices } from './data/devices.ts'
import { connections, inFlight, measureFcm } from './fan-out/fcm.ts'
import { measureMemory } from './fan-out/memory.ts'
import { measureWebPush } from './fan-out/web-push.ts'
import type { Found, World } from './fan-out/world.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import { createProfiler } from './measure/profile.ts'
import { keepResult } from './measure/result.ts'
import { startFront } from './subjects/front.ts'
import { startNghttpd } from './subjects/nghttpd.ts'
import { createPeykDatabase } from './subjects/peyk.ts'
import { giveCredentials, prepareSending } from './subjects/sending-peyk.ts'
import { startSimulator } from './subjects/simulator.ts'

const manyTimes = 10
const browserShare = 1 / 5
/** Google does not answer from the same machine. Then the peer is used as its manual shows it, one call after the other. */
const distanceMs = 50

/** One message to many: deliveries a second with all bookkeeping, against bare HTTP/2 and the usual libraries. */
export async function benchFanOut(options: BenchOptions): Promise<void> {
  const cluster = await startCluster()
  const simulator = await startSimulator()
  const { scale } = options
  const world: World = { options, cluster, simulator, few: Math.ceil(scale / manyTimes), many: scale }
  const path = `/v1/projects/${simulator.providers.credentials.fcm.project_id}/messages:send`
  const origin = await startNghttpd(simulator, path)
  const front = origin && (await startFront(simulator, origin))
  const onNghttpd = origin && front ? await benchNghttpd(world, origin, front, path) : undefined
  const onSimulator = await benchSimulator(world, path)
  const memory = front === undefined ? undefined : await measureMemory(world, front)
  const goals = [onNghttpd, ...onSimulator, memory].flatMap((found) => found?.goals ?? [])
  await keepResult('fan-out', options, goals, {
    postgres: cluster.version,
    rounds: options.rounds,
    installations: world.few,
    connections,
    inFlight,
    nghttpd: onNghttpd?.figures,
    simulator: onSimulator[0]?.figures,
    simulatorFarAway: onSimulator[1]?.figures,
    webPush: onSimulator[2]?.figures,
    memory: memory?.figures,
  })
}

/** Against a fake that costs next to nothing: what is left is the sender. */
async function benchNghttpd(world: World, origin: string, front: string, path: string): Promise<Found> {
  const { options, cluster, simulator, few } = world
  const database = await createPeykDatabase(await cluster.createDatabase('on_nghttpd'))
  const tokens = await simulator.makeTokens('fcm', few)
  await fillDevices(database.connection, database.appId, 'android', tokens)
  const sending = await prepareSending(database, front)
  const profiler = options.profile ? await createProfiler() : undefined
  const peyk = await sending.start(profiler?.env)
  await giveCredentials(peyk, database, simulator)
  const found = await measureFcm(world, peyk, database, { name: 'nghttpd', origin, path, tokens, peerCalls: 2 })
  await peyk.stop()
  await profiler?.print()
  return found
}

/** Against our own simulator, which checks each push as the providers do, and takes as long as the sender itself. */
async function benchSimulator(world: World, path: string): Promise<Found[]> {
  const { cluster, simulator, few } = world
  const database = await createPeykDatabase(await cluster.createDatabase('on_simulator'))
  const tokens = await simulator.makeTokens('fcm', few)
  const subscriptions = await simulator.makeTokens('webpush', Math.ceil(few * browserShare))
  await fillDevices(database.connection, database.appId, 'android', tokens)
  await fillDevices(database.connection, database.appId, 'web', subscriptions)
  const sending = await prepareSending(database, simulator.url)
  const peyk = await sending.start()
  await giveCredentials(peyk, database, simulator)
  const origin = simulator.providers.endpoints.fcm
  const where = { name: 'simulator', origin, path, tokens, peerCalls: 2 }
  const onFcm = await measureFcm(world, peyk, database, where)
  await simulator.delayFcm(distanceMs)
  const far = { ...where, name: `simulator ${distanceMs} ms away`, peerCalls: 1 }
  const onFarFcm = await measureFcm(world, peyk, database, far)
  await simulator.delayFcm(0)
  const onWebPush = await measureWebPush(world, peyk, database, subscriptions)
  await peyk.stop()
  return [onFcm, onFarFcm, onWebPush]
}
