import type { Series } from '@peyk/contract'
import { startSimulator } from '@peyk/simulator'
import { afterAll, expect, it } from 'vitest'
import { effort } from '../helpers/runner/effort.ts'
import { until } from '../helpers/runner/until.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service is killed at the moment at which occurrences of many series are due. */

/** A phone keeps a few notifications only. */
const perRound = 12
const phones = 4
const DAY = 86_400_000

const simulator = await startSimulator({ recordSize: 50_000 })
afterAll(() => simulator.close())
const service = await prepareService('peyk-series-')
const start = () =>
  service.start({
    PEYK_SIMULATOR_URL: simulator.url,
    PEYK_TEST_DURATIONS: JSON.stringify({ deliveryLeaseMs: 3_000 }),
  })

it(
  'kill -9 at the moment occurrences are due: each goes once, and the next ones are made once',
  async () => {
    await start()
    const call = caller(service.baseUrl, (await service.readDemo()).accessToken)
    await until(
      () => simulator.phones.list(),
      (list) => list.length === phones && list.every(({ installationId }) => installationId !== null),
    )
    for (let round = 0; round < effort.killRounds; round++) {
      const sendAt = Math.ceil(Date.now() / 1_000) * 1_000 + 2_000
      const sent: { id: string; seriesId: string }[] = []
      for (let index = 0; index < perRound; index++) {
        const repeat = { rule: 'FREQ=DAILY', zone: 'Asia/Tehran' }
        const body = { content: `${round}-${index}`, notification: { title: 'Again' }, sendAt, repeat }
        const isGroup = index % 6 === 0
        const path = isGroup ? '/api/push/byQuery' : '/api/push/toUsers'
        const answer = await call('POST', path, isGroup ? { ...body, target: {} } : { ...body, user: 'user-1' })
        expect(answer.status, JSON.stringify(answer.body)).toBe(200)
        sent.push(answer.body)
      }
      const readAll = () =>
        Promise.all(sent.map(async ({ seriesId }) => (await call('GET', `/api/series/${seriesId}`)).body as Series))
      await until(readAll, (all) => all.some((series) => series.sent > 0))
      await service.end('SIGKILL')
      await start()
      const all = await until(readAll, (series) => series.every((each) => each.sent > 0))
      for (const [index, series] of all.entries()) {
        expect(series).toMatchObject({ state: 'active', sent: 1, skipped: 0, missed: 0 })
        expect(series.story).toMatchObject([{ at: sendAt, what: 'sent', messageId: sent[index]?.id }])
        expect(series.next.map((each) => each.sendAt)).toEqual([1, 2, 3, 4, 5].map((days) => sendAt + days * DAY))
        expect(new Set(series.next.map(({ id }) => id)).size).toBe(5)
      }
      const shown = await until(
        () => sent.map(({ id }) => countShown(id)),
        (counts) => counts.every((count) => count >= phones),
      )
      expect(shown).toEqual(sent.map(() => phones))
      for (const { seriesId } of sent) await call('POST', `/api/series/${seriesId}/end`)
      expect((await call('GET', '/api/scheduled')).body).toEqual({ data: [] })
    }
  },
  effort.timeoutMs,
)

/** How often it is shown, on all phones together. */
function countShown(id: string): number {
  return simulator.phones
    .list()
    .reduce((sum, { notifications }) => sum + notifications.filter(({ messageId }) => messageId === id).length, 0)
}
