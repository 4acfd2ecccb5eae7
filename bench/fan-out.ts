import sql from 'sql-template-tag'
import { fillDevices } from './data/devices.ts'
import { androidDevices, createFilledDatabase } from './data/filled-database.ts'
import { connections, inFlight, measureFcm } from './fan-out/fcm.ts'
import { measureMemory } from './fan-out/memory.ts'
import { measureProcesses } from './fan-out/processes.ts'
import { measureWebPush } from './fan-out/web-push.ts'
import type { Found, World } from './fan-out/world.ts'
import { startCluster } from './measure/cluster.ts'
import type { BenchOptions } from './measure/options.ts'
import type { RunningProcess } from './measure/process.ts'
import { createProfiler } from './measure/profile.ts'
import { keepResult } from './measure/result.ts'
import { startFront } from './subjects/front.ts'
import { startNghttpd } from './subjects/nghttpd.ts'
import { createPeykDatabase, type PeykDatabase } from './subjects/peyk.ts'
import { giveCredentials, prepareSending } from './subjects/sending-peyk.ts'
import { startSimulator } from './subjects/simulator.ts'

/** Of the scale: a usual send, and one to browsers. What a send to few says is how long it takes to begin. */
const shares = { whole: 1 / 10, quick: 1, browsers: 1 / 50 }
/** Google does not answer from the same machine. Then the peer is used as its manual shows it, one call after the other. */
const distanceMs = 50

/** One message to many: deliveries a second with all bookkeeping, against bare HTTP/2 and the usual libraries. */
export async function benchFanOut(options: BenchOptions): Promise<void> {
  const cluster = await startCluster(options)
  const simulator = await startSimulator()
  const installations = Math.ceil(options.scale * shares[options.isQuick ? 'quick' : 'whole'])
  const world: World = { options, cluster, simulator, installations }
  const path = `/v1/projects/${simulator.providers.credentials.fcm.project_id}/messages:send`
  const origin = await startNghttpd(simulator, path)
  const front = origin && (await startFront(simulator, origin))
  const isWanted = (part: string) => options.parts.length === 0 || options.parts.includes(part)
  const isWhole = !options.isQuick
  const onNghttpd = origin && front && isWanted('nghttpd') ? await benchNghttpd(world, origin, front, path) : undefined
  const onSimulator: OnSimulator = isWanted('simulator') ? await benchSimulator(world, path) : {}
  const { near, far, webPush } = onSimulator
  const memory = front && isWhole && isWanted('memory') ? await measureMemory(world, front) : undefined
  const findPlace = async (database: PeykDatabase) => {
    return { origin: origin as string, path, tokens: await listTokens(database) }
  }
  const processes =
    front && isWhole && isWanted('processes') ? await measureProcesses(world, front, findPlace) : undefined
  const goals = [onNghttpd, near, far, webPush, memory, processes].flatMap((found) => found?.goals ?? [])
  await keepResult('fan-out', options, goals, {
    postgres: cluster.version,
    rounds: options.rounds,
    installations,
    connections,
    inFlight,
    nghttpd: onNghttpd?.figures,
    simulator: near?.figures,
    simulatorFarAway: far?.figures,
    webPush: webPush?.figures,
    memory: memory?.figures,
    processes: processes?.figures,
  })
}

/** Against a fake that costs next to nothing: what is left is the sender. */
async function benchNghttpd(world: World, origin: string, front: string, path: string): Promise<Found> {
  const { options, cluster, simulator, installations } = world
  const database = await createFilledDatabase(cluster, 'on_nghttpd', androidDevices(installations))
  const tokens = await listTokens(database)
  const sending = await prepareSending(database, front)
  const profiler = options.profile ? await createProfiler() : undefined
  const peyk = await sending.start(profiler?.env)
  await giveCredentials(peyk, database, simulator)
  const found = await measureFcm(world, peyk, database, { name: 'nghttpd', origin, path, tokens, peerCalls: 2 })
  await peyk.stop()
  await profiler?.print()
  return found
}

async function listTokens({ store, appId }: PeykDatabase): Promise<string[]> {
  const rows = await store.query<{ token: string }>(
    sql`select device_token as token from installation_details where app_id = ${appId}`,
  )
  return rows.map(({ token }) => token)
}

interface OnSimulator {
  near?: Found
  far?: Found
  webPush?: Found
}

/**
 * Against our own simulator, which checks each push as the providers do, and takes as long as the sender itself. Of this
 * a quick run does the part with browsers only: there CPU time is compared, which a few tell.
 */
async function benchSimulator(world: World, path: string): Promise<OnSimulator> {
  const { options, cluster, simulator } = world
  const database = await createPeykDatabase(await cluster.createDatabase('on_simulator'))
  const subscriptions = await simulator.makeTokens('webpush', Math.ceil(options.scale * shares.browsers))
  await fillDevices(database.connection, database.appId, 'web', subscriptions)
  const sending = await prepareSending(database, simulator.url)
  const peyk = await sending.start()
  await giveCredentials(peyk, database, simulator)
  const onFcm = options.isQuick ? {} : await benchSimulatedFcm(world, peyk, database, path)
  const webPush = await measureWebPush(world, peyk, database, subscriptions)
  await peyk.stop()
  return { ...onFcm, webPush }
}

async function benchSimulatedFcm(
  world: World,
  peyk: RunningProcess,
  database: PeykDatabase,
  path: string,
): Promise<{ near: Found; far: Found }> {
  const { simulator, installations } = world
  const tokens = await simulator.makeTokens('fcm', installations)
  await fillDevices(database.connection, database.appId, 'android', tokens)
  const origin = simulator.providers.endpoints.fcm
  const where = { name: 'simulator', origin, path, tokens, peerCalls: 2 }
  const near = await measureFcm(world, peyk, database, where)
  await simulator.delayFcm(distanceMs)
  const farAway = { ...where, name: `simulator ${distanceMs} ms away`, peerCalls: 1 }
  const far = await measureFcm(world, peyk, database, farAway)
  await simulator.delayFcm(0)
  return { near, far }
}
