import { startSimulator } from '@peyk/simulator'
import { afterAll, expect, it } from 'vitest'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service is killed at the moment at which many messages are due. */

/** A phone keeps a few notifications only. */
const perRound = 12
const phones = 4

const simulator = await startSimulator({ recordSize: 50_000 })
afterAll(() => simulator.close())
const service = await prepareService('peyk-schedule-')
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000 }),
  })

it(
  'kill -9 at the moment scheduled messages are due: each goes once',
  async () => {
    await start()
    const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
    await until(
      () => simulator.phones.list(),
      (list) => list.length === phones && list.every(({ installationId }) => installationId !== null),
    )
    for (let round = 0; round < effort.kills; round++) {
      const sendAt = Date.now() + 2_000
      const ids: string[] = []
      for (let index = 0; index < perRound; index++) {
        const body = { content: `${round}-${index}`, notification: { title: 'Now' }, sendAt }
        const isGroup = index % 6 === 0
        const path = isGroup ? '/api/push/byQuery' : '/api/push/toUsers'
        const sent = await call('POST', path, isGroup ? { ...body, target: {} } : { ...body, user: 'user-1' })
        expect(sent.status, JSON.stringify(sent.body)).toBe(200)
        ids.push(sent.body.id)
      }
      await until(
        () => readStates(call, ids),
        (states) => states.some((state) => state !== 'scheduled'),
      )
      await service.end('SIGKILL')
      await start()
      await until(
        () => readStates(call, ids),
        (states) => states.every((state) => state === 'sent'),
      )
      const shown = await until(
        () => ids.map(countShown),
        (counts) => counts.every((count) => count >= phones),
      )
      expect(shown).toEqual(ids.map(() => phones))
      expect((await call('GET', '/api/scheduled')).body).toEqual({ data: [] })
    }
  },
  effort.timeoutMs,
)

async function readStates(call: ReturnType<typeof caller>, ids: readonly string[]): Promise<string[]> {
  const answers = await Promise.all(ids.map((id) => call('GET', `/api/messages/${id}`)))
  return answers.map(({ body }) => body.state)
}

/** How often it is shown, on all phones together. */
function countShown(id: string): number {
  return simulator.phones
    .list()
    .reduce((sum, { notifications }) => sum + notifications.filter(({ messageId }) => messageId === id).length, 0)
}
