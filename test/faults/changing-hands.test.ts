import { busOf } from '@peyk/server/base/bus/bus.ts'
import { openStore } from '@peyk/server/base/store/store.ts'
import { returnRefusedCodes } from '@peyk/server/features/deliveries/other-user/return-refused-codes.ts'
import { settleUserChanges } from '@peyk/server/features/deliveries/other-user/settle-user-changes.ts'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { createConnectionServerForTest, openConnectionServer } from '../helpers/connection.ts'
import { testPoolSize } from '../helpers/database/test-store.ts'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import '../helpers/runner/property-seed.ts'
import { type DeviceModel, historyCommands, openWorld, SharedPhone } from './changing-hands.ts'

/**
 * [sending.md#a-device-that-changes-users] Random histories of a phone that changes hands, against a model of who may
 * see what. The phones talk to two processes, connect over MQTT, and have a simulated FCM that fails at times. Each
 * history is judged while the next ones run.
 */

const server = await createConnectionServerForTest()
const otherStore = openStore(server.store.url, { poolSize: testPoolSize })
const otherServer = await openConnectionServer(otherStore)
afterAll(async () => {
  await otherServer.close()
  await otherStore.drain()
  await otherStore.close()
})
await until(
  () => busOf(otherStore).isOpen && busOf(server.store).isOpen,
  (areOpen) => areOpen,
)
const world = await openWorld(server, otherServer)

let isOver = false
const jobs = (async () => {
  while (!isOver) {
    await settleUserChanges(server.ctx)
    await returnRefusedCodes(server.ctx)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
})()
afterAll(async () => {
  isOver = true
  await jobs
  console.log(`changing hands: ${JSON.stringify(totals)}`)
})

/** So many are judged at a time. */
const judgedTogether = 200
const totals = { histories: 0, arrivals: 0, pushes: 0, lateButWritten: 0, refused: 0 }

it(
  'what was decided for one user never reaches the next one on the phone, and nothing of the next one is lost',
  async () => {
    const judging = new Set<Promise<void>>()
    const faults: unknown[] = []
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.commands<DeviceModel, SharedPhone, true>(historyCommands, { size: 'max', maxCommands: 12 }),
        async (hasToken, commands) => {
          expect(faults).toEqual([])
          const phone = await SharedPhone.register(world, hasToken)
          await fc.asyncModelRun(() => ({ model: phone.model, real: phone }), commands)
          while (judging.size >= judgedTogether) await Promise.race(judging)
          const judged = phone
            .judge(effort.longWaitMs)
            .then((counts) => {
              totals.histories++
              totals.arrivals += counts.arrivals
              totals.pushes += counts.pushes
              totals.lateButWritten += counts.lateButWritten
              totals.refused += counts.refused
            })
            .catch((error) => void faults.push({ error: String(error), actions: phone.actions }))
            .finally(() => judging.delete(judged))
          judging.add(judged)
        },
      ),
      { numRuns: effort.changingHands, endOnFailure: true },
    )
    await Promise.all(judging)
    expect(faults).toEqual([])
    expect(totals.histories).toBeGreaterThanOrEqual(effort.changingHands)
    expect(totals.arrivals).toBeGreaterThan(totals.histories / 2)
    expect(totals.pushes).toBeGreaterThan(totals.histories / 10)
    expect(totals.refused).toBeGreaterThan(totals.histories / 10)
  },
  effort.timeoutMs,
)
