import { expect, it } from 'vitest'
import { poll } from '../helpers/runner/poll.ts'
import { story } from '../helpers/runner/story.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service as `npm start` runs it, and a crowd that knows it by its public protocol only. */
const size = 24
const service = await prepareService('peyk-crowd-')
const settings = { PEYK_MODE: 'development', PEYK_CROWD_SIZE: String(size) }
await service.start(settings)

const { accessToken, baseUrl, simulatorUrl } = await service.readDemo()
const call = caller(baseUrl, accessToken)
const simulator = caller(simulatorUrl, '')
const readCrowd = async () => (await simulator('GET', '/crowd')).body
/** Of the demo's own user, who has four. */
const countPhones = async () =>
  (await simulator('GET', '/phones')).body.filter(
    ({ installationId }: { installationId: string | null }) => installationId !== null,
  ).length
const countDevices = async () => (await call('POST', '/api/segments/count', { target: {} })).body.count

story('the crowd', () => {
  it('has joined, some of it over the own connection, and joins only once', async () => {
    await poll(readCrowd).toMatchObject({ size, pace: 1, members: size, connected: 1 })
    await poll(countPhones).toBe(4)
    const before = await countDevices()
    await service.end('SIGTERM')
    await service.start({ ...settings, PEYK_CROWD_SIZE: '' })
    await poll(readCrowd).toMatchObject({ size, members: size, connected: 1 })
    expect(await countDevices()).toBe(before)
  })

  it('moves the funnel of what is sent to everybody, and buys', async () => {
    expect((await simulator('POST', '/crowd', { pace: 100 })).body).toMatchObject({ size, pace: 100 })
    const actions = [{ id: 'shop', title: 'Shop now' }]
    const sent: string[] = []
    const send = async () => {
      const body = { content: 'Half the price', target: {}, notification: { title: `Sale ${sent.length}`, actions } }
      sent.push((await call('POST', '/api/push/byQuery', body)).body.id)
    }
    for (let count = 0; count < 10; count++) await send()
    const sums = async () => {
      const messages = await Promise.all(sent.map(async (id) => (await call('GET', `/api/messages/${id}`)).body))
      const sum = (of: (message: (typeof messages)[number]) => number) =>
        messages.reduce((all, one) => all + of(one), 0)
      return {
        shown: sum(({ states }) => states.shown) > 0.7 * size * sent.length,
        opened: sum(({ states }) => states.opened) > 0,
        acted: sum((message) => message.actions.shop ?? 0) > 0,
        dismissed: sum(({ states }) => states.dismissed) > 0,
        looked: sum(({ influenced }) => influenced.directEvents) > 0,
      }
    }
    const all = { shown: true, opened: true, acted: true, dismissed: true, looked: true }
    let looks = 0
    await poll(async () => {
      // By chance, nobody may do what few do: then there is another sale.
      if (++looks % 50 === 0) await send()
      return sums()
    }).toEqual(all)
  })
})
