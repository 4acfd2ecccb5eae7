import { setTimeout as delay } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { connectRunningPostgres } from '../../../server/src/base/store/embedded/embedded-postgres.ts'
import { openStore, type StoreConnection } from '../../../server/src/base/store/store.ts'
import { connectClient, endClients } from '../../helpers/connection.ts'
import { registerDevice } from '../../helpers/devices.ts'
import { effort } from '../../helpers/effort.ts'
import { prepareService } from '../../helpers/prepared-folder.ts'
import { freePort } from '../../helpers/service-process.ts'
import { caller } from '../../helpers/test-server.ts'
import { silentLog, testOutside } from '../../helpers/test-store.ts'
import { until } from '../../helpers/until.ts'
import { median, readRssMib, startProber, startShare } from './fuzzed-service.ts'
import type { KindName } from './kinds.ts'
import { describeFailure, type Share } from './run-kind.ts'
import { only, requestCount, seed } from './seed.ts'
import { prepareWorld, type World } from './world.ts'

/** Half a million requests that are wrong in some way, against a service in a process of its own: in `npm run test:faults`. */

const service = await prepareService('peyk-fuzz-')
const mqttPort = await freePort()
afterAll(endClients)

/** The part of all requests that is of this kind, and how many of them are sent at a time. */
const shares: Record<KindName, { part: number; lanes: number }> = {
  http: { part: 0.4, lanes: 32 },
  raw: { part: 0.12, lanes: 32 },
  csv: { part: 0.01, lanes: 4 },
  segments: { part: 0.08, lanes: 8 },
  templates: { part: 0.05, lanes: 8 },
  mqtt: { part: 0.34, lanes: 32 },
}
const warmUpPart = 0.1
const measuredPart = 0.05
const mayGrow = 1.2
const healthWithinMs = 1_000
/** On a machine that has much else to do. */
const timeoutMs = 7_200_000

it('answers broken input of every kind, neither falls nor swells, and works as before', {
  timeout: timeoutMs,
}, async () => {
  const faults = watchLog()
  await service.start({
    PEYK_MODE: 'production',
    PEYK_MQTT_PORT: String(mqttPort),
    PEYK_RATE_FAILED_TOKENS: '1000000000',
    PEYK_LOG_LEVEL: 'error',
  })
  const before = { service: service.pid, postgres: await service.findPostgres() }
  const world = await openWorld()
  console.log(`fuzzing with the seed ${seed}`)
  const startedAtMs = performance.now()
  const prober = startProber(service.baseUrl)
  const running = planShares(world).map((share) => ({ kind: share.kind, ...startShare(share) }))
  const rss = await watchMemory(running)
  await Promise.all(running.map(({ ended }) => ended))
  const probed = await prober.stop()
  const failures = running.flatMap(({ tally }) => tally().failures)
  console.log(describeRun(running, { probed, rss, seconds: (performance.now() - startedAtMs) / 1_000 }))

  expect(failures.map((failure) => describeFailure(seed, failure))).toEqual([])
  expect({ service: service.pid, postgres: await service.findPostgres() }, service.output).toEqual(before)
  expect(faults).toEqual([])
  expect(probed.failures).toEqual([])
  // Other tests run beside it otherwise, and a short run does not show what grows.
  if (effort.isLong && !only) expect(probed.slowestMs).toBeLessThan(healthWithinMs)
  if (effort.isLong && !only && requestCount >= effort.fuzzedRequests)
    expect(rss.atEnd).toBeLessThanOrEqual(rss.afterWarmUp * mayGrow)
  await expectOrdinaryUse(world)
})

function planShares(world: World): Share[] {
  if (only) return [{ world, seed, kind: only.kind, from: only.number, count: 1, lanes: 1 }]
  return Object.entries(shares).map(([kind, { part, lanes }]) => ({
    ...{ world, seed, kind: kind as KindName, from: 0, count: Math.ceil(requestCount * part), lanes },
  }))
}

/** What the service logs as its own fault. */
function watchLog(): string[] {
  const faults: string[] = []
  let rest = ''
  service.onOutput = (text) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    faults.push(...lines.filter((line) => line.startsWith('{"level":') && faults.length < 20))
  }
  return faults
}

async function openWorld(): Promise<World> {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 2 })
  try {
    const { appId: label } = await service.readDemo()
    const [app] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = ${label}`)
    const identity = { id: app?.app_id as number, label }
    const ctx = { app: identity, store, log: silentLog, now: () => new Date(), outside: testOutside }
    return await prepareWorld(ctx, { baseUrl: service.baseUrl, mqttPort })
  } finally {
    await store.drain()
    await store.close()
  }
}

interface Running {
  kind: KindName
  tally: ReturnType<typeof startShare>['tally']
  ended: Promise<void>
}

interface Memory {
  afterWarmUp: number
  atEnd: number
  largest: number
}

/** The medians of what the service takes when a tenth of the requests is done, and of the last that are done. */
async function watchMemory(running: readonly Running[]): Promise<Memory> {
  const samples: { part: number; mib: number }[] = []
  let told = 0
  let isOver = false
  const over = () => {
    isOver = true
  }
  Promise.all(running.map(({ ended }) => ended)).then(over, over)
  while (!isOver && service.pid !== undefined) {
    const done = running.reduce((sum, { tally }) => sum + tally().requests, 0)
    const part = done / requestCount
    samples.push({ part, mib: await readRssMib(service.pid) })
    if (Math.floor(part * 10) > told) {
      told = Math.floor(part * 10)
      console.log(`${done} requests, ${Math.round(samples.at(-1)?.mib ?? 0)} MiB`)
    }
    await delay(1_000)
  }
  const within = (from: number, to: number) =>
    median(samples.filter(({ part }) => part >= from && part < to).map(({ mib }) => mib))
  return {
    afterWarmUp: within(warmUpPart, warmUpPart + measuredPart),
    atEnd: within(1 - measuredPart, Number.POSITIVE_INFINITY),
    largest: Math.max(...samples.map(({ mib }) => mib)),
  }
}

function describeRun(
  running: readonly Running[],
  { probed, rss, seconds }: { probed: { asked: number; slowestMs: number }; rss: Memory; seconds: number },
): string {
  const total = running.reduce((sum, { tally }) => sum + tally().requests, 0)
  const lines = running.map(({ kind, tally }) => {
    const { requests, outcomes } = tally()
    const seen = Object.entries(outcomes).sort(([a], [b]) => (a < b ? -1 : 1))
    return `  ${kind}: ${requests} requests; ${seen.map(([outcome, count]) => `${outcome}: ${count}`).join(', ')}`
  })
  return [
    `${total} requests in ${Math.round(seconds)} s, Node ${process.version}, seed ${seed}`,
    ...lines,
    `  /health: asked ${probed.asked} times, the slowest answer took ${Math.round(probed.slowestMs)} ms`,
    `  memory: ${Math.round(rss.afterWarmUp)} MiB after warm-up, ${Math.round(rss.atEnd)} at the end, ${Math.round(rss.largest)} at most`,
  ].join('\n')
}

/** Somebody registers, connects, and gets a message. */
async function expectOrdinaryUse({ app, baseUrl }: World): Promise<void> {
  const device = await registerDevice(caller(baseUrl, app.clientKey), { userId: 'ordinary' })
  const client = await connectClient(`mqtt://127.0.0.1:${mqttPort}`, {
    clientId: `${app.label}/ordinary/${device.id}`,
    key: app.clientKey,
  })
  const sent = await caller(baseUrl, app.token)('POST', '/api/push/toUsers', { user: 'ordinary', content: 'As usual' })
  expect(sent).toMatchObject({ status: 200, body: { count: 1 } })
  const received = () => client.received.map(({ body }) => body.id)
  expect(await until(received, (ids) => ids.length > 0)).toContain(sent.body.id)
}
