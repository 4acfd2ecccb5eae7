import { connectRunningPostgres } from '@peyk/server/base/store/embedded/embedded-postgres.ts'
import { startSimulator } from '@peyk/simulator'
import { makeTokens } from '@peyk/simulator/control/provider-acts.ts'
import { expect, it, onTestFinished } from 'vitest'
import { registerDevice } from '../helpers/devices.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'
import { findLosses, startWriters } from './writers.ts'

/** One service of two processes behind one port, which the primary supervises together with PostgreSQL. */

const { longWaitMs, timeoutMs } = effort
const service = await prepareService('peyk-processes-')
const pids = new Map<number, number>()
let starts = 0
service.onLine = (line) => {
  const [, number, pid] = /"process":(\d+),"pid":(\d+),"msg":"a process serves"/.exec(line) ?? []
  if (number === undefined) return
  pids.set(Number(number), Number(pid))
  starts++
}
const start = async (env: Record<string, string>) => {
  const before = starts
  await service.start({ PEYK_PROCESSES: '2', PEYK_LOG_LEVEL: 'info', ...env })
  await countStarts(before + 2)
}
const countStarts = (count: number) =>
  until(
    () => starts,
    (all) => all >= count,
    longWaitMs,
  )

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

it(
  'kill -9 of one process after the other loses nothing that was acknowledged, and of the primary leaves none behind',
  async () => {
    await start({ PEYK_MODE: 'production' })
    const { accessToken, clientKey } = await service.readDemo()
    await registerDevice(caller(service.baseUrl, clientKey), { userId: 'user-1' })
    const load = startWriters(service.baseUrl, accessToken, 16)
    try {
      for (let kill = 0; kill < 2 * effort.stops; kill++) {
        const [acknowledged, begun] = [load.countAcknowledged(), starts]
        await until(load.countAcknowledged, (count) => count > acknowledged + 100, longWaitMs)
        process.kill(pids.get((kill % 2) + 1) as number, 'SIGKILL')
        await countStarts(begun + 1)
      }
      await service.end('SIGKILL')
      await until(
        () => [...pids.values()].filter(isThere),
        (left) => left.length === 0,
      )
      await start({ PEYK_MODE: 'production' })
    } finally {
      await load.stop()
    }
    expect(load.surprises).toEqual([])
    const connection = await connectRunningPostgres(service.dataFolder)
    expect(await findLosses(connection as object, load.sent)).toEqual([])
    expect(await service.end('SIGTERM')).toBe(0)
    expect([...pids.values()].filter(isThere)).toEqual([])
  },
  timeoutMs,
)

it(
  'the rate of pushes holds for both processes together',
  async () => {
    const pushesPerSecond = 50
    const simulator = await startSimulator({ recordSize: 5_000 })
    onTestFinished(() => simulator.close())
    await start({ PEYK_SIMULATOR_URL: simulator.url, PEYK_PUSH_RATE: String(pushesPerSecond) })
    const { accessToken, clientKey } = await service.readDemo()
    const call = caller(service.baseUrl, accessToken)
    const callAsClient = caller(service.baseUrl, clientKey)
    const count = 400
    const { tokens } = makeTokens(simulator.providers, { provider: 'fcm', count })
    for (const deviceToken of tokens)
      await registerDevice(callAsClient, {
        userId: `rated-${deviceToken.slice(-8)}`,
        deviceType: 'android',
        deviceToken,
      })
    const { record } = simulator.providers
    const startedAtMs = performance.now()
    const sent = await call('POST', '/api/push/byQuery', { target: { deviceType: 'android' }, content: 'Hello' })
    expect(sent.status).toBe(200)
    await until(
      () => record.countAll().fcm.received,
      (received) => received >= count,
      longWaitMs,
    )
    const seconds = (performance.now() - startedAtMs) / 1_000
    // Alone each of them would send as many: then it would take half as long.
    expect(count / seconds).toBeLessThan(pushesPerSecond * 1.5)
    expect(await service.end('SIGTERM')).toBe(0)
  },
  timeoutMs,
)
