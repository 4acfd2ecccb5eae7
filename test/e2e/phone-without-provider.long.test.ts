import type { PhoneView } from '@peyk/simulator'
import { expect, it } from 'vitest'
import { poll } from '../helpers/runner/poll.ts'
import { story } from '../helpers/runner/story.ts'
import { prepareService } from '../helpers/service/prepared-folder.ts'
import { freePort } from '../helpers/service/service-process.ts'
import { caller } from '../helpers/service/test-server.ts'

/** A phone that no push provider reaches, whose app is closed, and the service of `npm start`. */
const service = await prepareService('peyk-e2e-')
const settings = { PEYK_MODE: 'development', PEYK_MQTT_PORT: String(await freePort()) }
await service.start(settings)

const { accessToken, baseUrl, simulatorUrl } = await service.readDemo()
const call = caller(baseUrl, accessToken)
const onPhones = caller(simulatorUrl, '')

const getPhone = async (): Promise<PhoneView> => {
  const phones: PhoneView[] = (await onPhones('GET', '/phones')).body
  return phones.find(({ provider }) => provider === 'none') as PhoneView
}
const touch = async (act: string, body: object = {}) => {
  const answer = await onPhones('POST', `/phones/${(await getPhone()).id}/${act}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}
const send = async (body: object): Promise<string> => {
  const answer = await call('POST', '/api/push/toUsers', { user: 'user-1', ...body })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body.id
}
const shown = async (id: string) => (await getPhone()).notifications.find(({ messageId }) => messageId === id)
const isInApp = async (id: string) => (await getPhone()).messages.some(({ messageId }) => messageId === id)
/** What became of the message on this phone, and its story, line by line. */
const explain = async (id: string) => {
  const { installationId } = await getPhone()
  const { installations } = (await call('GET', `/api/messages/${id}/explain?user=user-1`)).body
  const own = installations.find((one: { installationId: string }) => one.installationId === installationId)
  const lines: string[] = own.story.map(({ kind, text }: { kind: string; text: string }) => `${kind}: ${text}`)
  return { state: own.state as string | undefined, lines }
}

story('a phone that no push provider reaches', () => {
  it('holds the connection although its app is closed', async () => {
    await poll(getPhone).toMatchObject({ platform: 'android', app: 'closed', path: 'connection', connected: true })
    const { installationId } = await getPhone()
    const { body } = await call('GET', `/api/installations/fetchById/${installationId}`)
    expect(body).toMatchObject({ connected: true, tokenStatus: expect.stringMatching(/^NOT_SUPPORTED:/) })
    expect(body.deviceToken).toBeUndefined()
  })

  it('shows a message as a notification, and reports what became of it', async () => {
    const id = await send({ content: 'On its way', notification: { title: 'Order 42' } })
    await poll(() => shown(id)).toMatchObject({
      via: 'connection',
      title: 'Order 42',
      body: 'On its way',
      state: 'shown',
    })
    await poll(async () => (await explain(id)).state).toBe('shown')
    await touch('tap', { messageId: id })
    await poll(async () => (await explain(id)).state).toBe('opened')
    // It acknowledges when it has kept the message, which may be later than what its user does.
    await poll(async () => (await explain(id)).lines).toEqual(
      expect.arrayContaining([
        'path: The live connection. When the delivery channel was chosen: it is connected, and no provider reaches it.',
        'receipt: The device acknowledged it.',
        'receipt: The device showed it.',
        'receipt: It was opened.',
      ]),
    )
  })

  it('shows a notification that is sent without a message', async () => {
    const { body } = await call('POST', '/api/push/notifyUsers', {
      user: 'user-1',
      notification: { title: 'Sale', body: 'Today only' },
    })
    await poll(() => shown(body.id)).toMatchObject({ title: 'Sale', body: 'Today only' })
  })

  it('gets what was sent while it was offline when it is back', async () => {
    await touch('offline')
    await poll(getPhone).toMatchObject({ online: false, connected: false })
    const id = await send({ content: 'While you were out' })
    await poll(async () => (await explain(id)).lines).toContain('path: The inbox: the installation has no push token.')
    expect(await shown(id)).toBeUndefined()
    await touch('online')
    await poll(() => shown(id)).toMatchObject({ body: 'While you were out' })
    await poll(async () => (await explain(id)).state).toBe('shown')
    await poll(async () => (await explain(id)).lines.join('\n')).toContain('path: The live connection.')
  })

  it('is given messages for the open app only when it is open, and no live ones before', async () => {
    const live = await send({ content: 'Goal!', live: true })
    const inApp = await send({ content: 'New look', inApp: true })
    const silent = await send({ content: 'sync', silent: true })
    const last = await send({ content: 'Hello again' })
    await poll(() => shown(last)).toBeDefined()
    await poll(() => isInApp(silent)).toBe(true)
    expect([await isInApp(live), await isInApp(inApp)]).toEqual([false, false])
    await touch('open')
    await poll(() => isInApp(inApp)).toBe(true)
    await poll(async () => (await explain(inApp)).state).toBe('delivered')
    const now = await send({ content: 'Goal again!', live: true })
    await poll(() => shown(now)).toMatchObject({ body: 'Goal again!' })
    for (const id of [live, inApp, silent]) expect(await shown(id)).toBeUndefined()
    expect(await isInApp(live)).toBe(false)
    await touch('close')
  })

  it('is there again after the service was killed, and shows nothing twice', async () => {
    const before = await getPhone()
    await service.end('SIGKILL')
    await service.start(settings)
    await poll(getPhone).toMatchObject({ connected: true, app: 'closed', installationId: before.installationId })
    const id = await send({ content: 'Still here' })
    await poll(() => shown(id)).toMatchObject({ body: 'Still here' })
    const ids = (await getPhone()).notifications.map(({ messageId }) => messageId)
    expect(ids).toEqual([...before.notifications.map(({ messageId }) => messageId), id])
  })

  it('is not reached any more when the app is removed', async () => {
    await touch('uninstall')
    expect(await getPhone()).toMatchObject({ installed: false, connected: false, notifications: [], messages: [] })
    await touch('reinstall')
    await poll(getPhone).toMatchObject({ installed: true, connected: true, notifications: [] })
    const id = await send({ content: 'Welcome back' })
    await poll(() => shown(id)).toMatchObject({ via: 'connection' })
  })
})
