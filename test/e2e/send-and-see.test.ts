import type { PhoneView } from '@peyk/simulator'
import { expect, it } from 'vitest'
import { isThorough } from '../helpers/runner/effort.ts'
import { poll } from '../helpers/runner/poll.ts'
import { story } from '../helpers/runner/story.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { caller } from '../helpers/service/test-server.ts'

/** The service as `npm start` runs it, and what the demo's phones make of what is sent. */
const service = await prepareService('peyk-e2e-')
await service.start({ PEYK_MODE: 'development' })

const { accessToken, clientKey, baseUrl, simulatorUrl } = await service.readDemo()
const call = caller(baseUrl, accessToken)
const asClient = caller(baseUrl, clientKey)
const onPhones = caller(simulatorUrl, '')

const listPhones = async (): Promise<PhoneView[]> => (await onPhones('GET', '/phones')).body
/** Its name is its provider's: each of the demo's phones has another one, and one has none. */
const getPhone = async (provider: string) =>
  (await listPhones()).find((phone) => phone.provider === provider) as PhoneView
const touch = async (provider: string, act: string, body: object = {}) => {
  const answer = await onPhones('POST', `/phones/${(await getPhone(provider)).id}/${act}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const readMessage = async (id: string) => (await call('GET', `/api/messages/${id}`)).body
const explain = async (id: string) => (await call('GET', `/api/messages/${id}/explain?user=user-1`)).body
const send = async (body: object) => {
  const answer = await call('POST', '/api/push/toUsers', { user: 'user-1', ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body as { id: string; count: number }
}
const whoShows = async (id: string) =>
  (await listPhones())
    .filter(({ notifications }) => notifications.some(({ messageId }) => messageId === id))
    .map(({ provider }) => provider)

const everyPhone = ['fcm', 'apns', 'webpush', 'none']
const whoCanBeReached = async () => {
  const phones = (await listPhones()).filter(({ installationId }) => installationId !== null)
  const reached = await Promise.all(
    phones.map(async ({ installationId, provider }) => {
      const { body } = await call('GET', `/api/installations/fetchById/${installationId}`)
      return body.deviceToken !== undefined || body.connected ? [provider] : []
    }),
  )
  return reached.flat()
}

story('the phones of the demo', () => {
  let sent: { id: string; count: number }

  it('a message is shown by the Android phone, the iPhone, the browser and the phone without Google services', async () => {
    const actions = [{ id: 'track', title: 'Where is it?', url: 'https://example.com/42' }]
    await poll(whoCanBeReached).toEqual(everyPhone)
    sent = await send({ content: 'On its way', notification: { title: 'Order 42', actions } })
    await poll(() => whoShows(sent.id)).toEqual(everyPhone)
    for (const provider of everyPhone) {
      const shown = (await getPhone(provider)).notifications.find(({ messageId }) => messageId === sent.id)
      expect(shown).toMatchObject({ title: 'Order 42', body: 'On its way', state: 'shown' })
      expect(shown?.actions).toMatchObject([{ id: 'track', title: 'Where is it?' }])
    }
    await poll(async () => (await readMessage(sent.id)).states).toMatchObject({ queued: 0, sent: sent.count, shown: 4 })
  })

  it('a message moves its counts when it is tapped, answered and dismissed', async () => {
    await touch('fcm', 'tap', { messageId: sent.id })
    await touch('apns', 'action', { messageId: sent.id, actionId: 'track' })
    await touch('webpush', 'dismiss', { messageId: sent.id })
    await touch('none', 'tap', { messageId: sent.id })
    await poll(async () => (await readMessage(sent.id)).states).toMatchObject({ opened: 2, acted: 1, dismissed: 1 })
    expect((await readMessage(sent.id)).actions).toEqual({ track: 1 })
  })

  it('a message has a story that can be read', async () => {
    const { installationId } = await getPhone('fcm')
    const { installations } = await explain(sent.id)
    const explained = installations.find((one: { installationId: string }) => one.installationId === installationId)
    expect(explained).toMatchObject({ deviceType: 'android', state: 'opened' })
    expect(explained.story.map(({ kind }: { kind: string }) => kind)).toEqual(
      expect.arrayContaining(['accepted', 'path', 'sent']),
    )
  })

  it('a message in several languages is shown by each phone in its own', async () => {
    const speaks = { fcm: 'fa-IR', apns: 'de_AT', webpush: 'tr', none: 'fa' }
    for (const [provider, language] of Object.entries(speaks)) {
      const { installationId } = await getPhone(provider)
      const { status } = await asClient('PUT', `/api/installations/${installationId}`, { language })
      expect(status).toBe(200)
    }
    const contents = { fa: { notification: { title: 'حراج' } }, de: { notification: { title: 'Ausverkauf' } } }
    const { id } = await send({ content: 'Hello', notification: { title: 'Sale' }, contents })
    await poll(() => whoShows(id)).toEqual(everyPhone)
    const phones = await listPhones()
    const titles = phones.map(({ notifications }) => notifications.find(({ messageId }) => messageId === id)?.title)
    expect(titles).toEqual(['حراج', 'Ausverkauf', 'Sale', 'حراج'])
    await poll(async () => {
      const { data } = (await call('GET', `/api/messages/${id}/deliveries`)).body
      const deliveryOf = (wanted: string | null) =>
        data.find(({ installationId }: { installationId: string }) => installationId === wanted)
      return phones.map(({ installationId }) => deliveryOf(installationId)?.language)
    }).toEqual(['fa', 'de', 'default', 'fa'])
  })

  it('a phone that is away gets the message when it is back', async () => {
    await touch('apns', 'offline')
    const { id } = await send({ content: 'While you were out' })
    await poll(() => whoShows(id)).toEqual(['fcm', 'webpush', 'none'])
    await poll(async () => (await readMessage(id)).states).toMatchObject({ shown: 3 })
    await touch('apns', 'online')
    await poll(() => whoShows(id)).toEqual(everyPhone)
    await poll(async () => (await readMessage(id)).states).toMatchObject({ shown: 4 })
  })

  it('a phone without the app is found out by the next message, and is there again when it is installed', async () => {
    const before = await getPhone('fcm')
    await touch('fcm', 'uninstall')
    const { id } = await send({ content: 'Anybody there?' })
    await poll(async () => (await readMessage(id)).reasons.gone).toBe(1)
    const { body } = await call('GET', `/api/installations/fetchById/${before.installationId}`)
    expect(body.uninstalled).toBe(true)
    await touch('fcm', 'reinstall')
    await poll(async () => (await getPhone('fcm')).installationId).not.toBeNull()
    const { id: next } = await send({ content: 'Welcome back' })
    await poll(() => whoShows(next)).toEqual(everyPhone)
  })

  it.runIf(isThorough)('everything is there after a restart', async () => {
    const before = await listPhones()
    await service.end('SIGTERM')
    await service.start({ PEYK_MODE: 'development' })
    expect(await service.readDemo()).toMatchObject({ accessToken, simulatorUrl })
    await poll(listPhones).toEqual(before)
    const { id } = await send({ content: 'Still here' })
    await poll(() => whoShows(id)).toEqual(everyPhone)
  })
})
