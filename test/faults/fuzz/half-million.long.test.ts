import { setTimeout as delay } from 'node:timers/promises'
import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { openStore, type StoreConnection } from '@peyk/server/base/store/store.ts'
import sql from 'sql-template-tag'
import { afterAll, expect, it } from 'vitest'
import { connectClient, endClients } from '../../helpers/connection.ts'
import { silentLog, testExternal } from '../../helpers/database/test-store.ts'
import { registerDevice } from '../../helpers/devices.ts'
import { effort } from '../../helpers/runner/effort.ts'
import { until } from '../../helpers/runner/until.ts'
import { prepareService } from '../../helpers/service/prepared-folder.ts'
import { freePort } from '../../helpers/service/service-process.ts'
import { caller } from '../../helpers/service/test-server.ts'
import { collectGarbage, inspectable, readRssMib, startProber, startShare } from './fuzzed-service.ts'
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
/** The allocators of V8 and of the system have settled by then. */
const warmUpPart = 0.2
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
    PEYK_RATE_REGISTRATIONS: '1000000000',
    PEYK_MQTT_PORT: String(mqttPort),
    PEYK_RATE_FAILED_TOKENS: '1000000000',
    PEYK_LOG_LEVEL: 'error',
    ...inspectable,
  })
  const before = { service: service.pid, postgres: await service.findPostgres() }
  const world = await openWorld()
  console.log(`fuzzing with the seed ${seed}`)
  const startedAtMs = performance.now()
  const prober = startProber(service.baseUrl)
  const running: Running[] = []
  const kept: number[] = []
  for (const part of only ? [{ from: 0, to: 1 }] : parts) {
    running.push(...(await runPart(world, part)))
    kept.push(await readMemoryKept())
  }
  const seconds = (performance.now() - startedAtMs) / 1_000
  const probed = await prober.stop()
  const failures = running.flatMap(({ tally }) => tally().failures)
  console.log(describeRun(running, { probed, seconds, kept, largestMib }))

  expect(failures.map((failure) => describeFailure(seed, failure))).toEqual([])
  expect({ service: service.pid, postgres: await service.findPostgres() }, service.output).toEqual(before)
  expect(faults).toEqual([])
  expect(probed.failures).toEqual([])
  // Other tests run beside it otherwise, and a short run does not show what grows.
  if (effort.isLong && !only) expect(probed.slowestMs).toBeLessThan(healthWithinMs)
  if (effort.isLong && !only && requestCount >= effort.fuzzedRequests)
    expect(kept.at(-1)).toBeLessThanOrEqual((kept[0] as number) * mayGrow)
  await expectOrdinaryUse(world)
})

/** A part of all requests, of every kind. */
interface Part {
  from: number
  to: number
}

const parts: Part[] = [
  { from: 0, to: warmUpPart },
  { from: warmUpPart, to: 0.6 },
  { from: 0.6, to: 1 },
]

function planShares(world: World, { from, to }: Part): Share[] {
  if (only) return [{ world, seed, kind: only.kind, from: only.number, count: 1, lanes: 1 }]
  return Object.entries(shares).map(([kind, { part, lanes }]) => {
    const first = Math.ceil(requestCount * part * from)
    const count = Math.ceil(requestCount * part * to) - first
    return { world, seed, kind: kind as KindName, from: first, count, lanes }
  })
}

/** What the service logs as its own fault. */
function watchLog(): string[] {
  const faults: string[] = []
  service.onLine = (line) => {
    if (line.startsWith('{"level":') && faults.length < 20) faults.push(line)
  }
  return faults
}

async function openWorld(): Promise<World> {
  const store = openStore((await connectRunningPostgres(service.dataFolder)) as StoreConnection, { poolSize: 2 })
  try {
    const { appId: label } = await service.readDemo()
    const [app] = await store.query<{ app_id: number }>(sql`select app_id from apps where label = ${label}`)
    const identity = { id: app?.app_id as number, label }
    const ctx = { app: identity, store, log: silentLog, now: () => new Date(), external: testExternal }
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

async function runPart(world: World, part: Part): Promise<Running[]> {
  const running = planShares(world, part).map((share) => ({ kind: share.kind, ...startShare(share) }))
  await watchMemory(running)
  await Promise.all(running.map(({ ended }) => ended))
  return running
}

let largestMib = 0
let requestsBefore = 0

async function watchMemory(running: readonly Running[]): Promise<void> {
  const count = () => requestsBefore + running.reduce((sum, { tally }) => sum + tally().requests, 0)
  let told = Math.floor((count() / requestCount) * 10)
  let isOver = false
  const over = () => {
    isOver = true
  }
  Promise.all(running.map(({ ended }) => ended)).then(over, over)
  while (!isOver && service.pid !== undefined) {
    const mib = await readRssMib(service.pid)
    largestMib = Math.max(largestMib, mib)
    const tenth = Math.floor((count() / requestCount) * 10)
    if (tenth > told) console.log(`${count()} requests, ${Math.round(mib)} MiB`)
    told = tenth
    await delay(1_000)
  }
  requestsBefore = count()
}

async function readMemoryKept(): Promise<number> {
  await collectGarbage(service)
  return readRssMib(service.pid as number)
}

interface Measured {
  probed: { asked: number; slowestMs: number }
  seconds: number
  /** After each part, in MiB. */
  kept: number[]
  largestMib: number
}

function describeRun(running: readonly Running[], { probed, seconds, kept, largestMib }: Measured): string {
  const total = running.reduce((sum, { tally }) => sum + tally().requests, 0)
  const lines = Object.entries(Object.groupBy(running, ({ kind }) => kind)).map(([kind, parts]) => {
    const tallies = parts.map(({ tally }) => tally())
    const seen = new Map<string, number>()
    for (const { outcomes } of tallies)
      for (const [outcome, count] of Object.entries(outcomes)) seen.set(outcome, (seen.get(outcome) ?? 0) + count)
    const sorted = [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([outcome, count]) => `${outcome}: ${count}`)
    return `  ${kind}: ${tallies.reduce((sum, { requests }) => sum + requests, 0)} requests; ${sorted.join(', ')}`
  })
  return [
    `${total} requests in ${Math.round(seconds)} s, Node ${process.version}, seed ${seed}`,
    ...lines,
    `  /health: asked ${probed.asked} times, the slowest answer took ${Math.round(probed.slowestMs)} ms`,
    `  memory without garbage: ${kept.map(Math.round).join(', ')} MiB after each part; ${Math.round(largestMib)} at most under load`,
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
