import { createHmac } from 'node:crypto'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { caller } from '../helpers/service/test-server.ts'
import { openLine } from './line.ts'
import { connected, forget, openStory, poll } from './story.ts'

const story = await openStory({ isShared: false })
const readEvents = async (userId: string) =>
  (await story.call('GET', `/api/events?userId=${userId}`)).body.data as Record<string, unknown>[]
const readInstallation = async (page: Page) => {
  const id = await page.evaluate(() => window.peyk.installationId)
  return (await story.call('GET', `/api/installations/fetchById/${id}`)).body
}

describe('a page without a service worker', () => {
  it('shows notifications itself, and tells what becomes of them', async () => {
    const context = await story.openBrowser()
    await context.addInitScript(() => {
      const shown: Notification[] = []
      const addresses: string[] = []
      const Real = Notification
      class Kept extends Real {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options)
          shown.push(this)
        }
      }
      const open = (url: string) => void addresses.push(url)
      Object.assign(window, { Notification: Kept, shown, addresses, open })
    })
    const page = await story.openTab(context)
    await page.evaluate(() => window.peyk.login('plain'))
    await connected(page)
    const notification = { title: 'Order 42', clickUrl: 'https://example.com/orders/42' }
    const { id } = await story.send('toUsers', { user: 'plain', content: 'Hello', notification })
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    await page.evaluate(() => {
      const { shown } = window as unknown as { shown: Notification[] }
      for (const event of ['click', 'close']) shown[0]?.dispatchEvent(new Event(event))
    })
    await poll(() => story.statesOf(id)).toMatchObject({ opened: 1, dismissed: 0 })
    await poll(() => page.evaluate(() => window.heard.opened)).toMatchObject([{ kind: 'opened', messageId: id }])
    await poll(() => page.evaluate(() => (window as unknown as { addresses: string[] }).addresses)).toEqual([
      'https://example.com/orders/42',
    ])
  })

  it('leaves a notification that it may not show to others, and says so', async () => {
    const page = await story.openTab(await story.openBrowser({ mayNotify: false }))
    await page.evaluate(() => window.peyk.login('shy'))
    await connected(page)
    const { id } = await story.send('toUsers', { user: 'shy', content: 'Hello' })
    await poll(() => page.evaluate(() => window.heard.notifications)).toMatchObject([
      { messageId: id, shownBy: 'nobody' },
    ])
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 0 })
  })
})

describe('the service', () => {
  it('knows whether a tab of the app can be seen', async () => {
    const page = await story.openTab(await story.openBrowser())
    await page.evaluate(() => window.peyk.login('watched'))
    await connected(page)
    const look = (state: DocumentVisibilityState) =>
      page.evaluate((visibility) => {
        Object.defineProperty(document, 'visibilityState', { value: visibility, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, state)
    const sendLive = async () => (await story.send('toUsers', { user: 'watched', content: 'Now', live: true })).count
    await poll(sendLive).toBe(1)
    await look('hidden')
    await poll(sendLive).toBe(0)
    await look('visible')
    await poll(sendLive).toBe(1)
  })

  it('refuses a key that it does not know', async () => {
    const page = await (await story.openBrowser()).newPage()
    await page.goto(story.origin)
    const failure = await page.evaluate(async (baseUrl) => {
      const peyk = new window.Peyk({ appId: 'demo', clientKey: '0'.repeat(40), baseUrl })
      return peyk.register().catch(({ code, status }) => ({ code, status }))
    }, story.baseUrl)
    expect(failure).toEqual({ code: 'unknown-token', status: 401 })
  })
})

describe('an app that verifies identities', () => {
  let page: Page
  let secret: string
  const hashOf = (userId: string) => createHmac('sha256', secret).update(userId).digest('hex')
  const logIn = (userId: string, userHash?: string) =>
    page.evaluate(
      ([user, hash]) =>
        window.peyk.login(user as string, hash === undefined ? {} : { userHash: hash }).then(
          (installation) => ({ userId: installation.userId }),
          (error) => ({ code: error.code, status: error.status }),
        ),
      [userId, userHash] as const,
    )
  const refused = { code: 'identity-unverified', status: 403 }
  /** The service knows its own change a second later at most. */
  const isRefused = (login: { userHash?: string }) => {
    const body = { deviceType: 'web', userId: 'somebody', isGuest: false, ...login }
    const register = () => caller(story.baseUrl, story.clientKey)('POST', '/api/installations', body)
    return poll(async () => (await register()).status).toBe(403)
  }

  beforeAll(async () => {
    page = await story.openTab(await story.openBrowser())
    const { body } = await story.call('PUT', '/api/app', { identityVerification: true })
    secret = body.identitySecret
  })
  afterAll(() => story.call('PUT', '/api/app', { identityVerification: false }))

  it('lets a user log in with the hash of the back end, and nobody with another', async () => {
    await isRefused({})
    expect(await logIn('vera')).toEqual(refused)
    expect(await logIn('vera', hashOf('mallory'))).toEqual(refused)
    expect(await logIn('vera', 'a1b2')).toEqual(refused)
    expect(await page.evaluate(() => window.peyk.userId)).toMatch(/^guest-/)
    expect(await logIn('vera', hashOf('vera'))).toEqual({ userId: 'vera' })
    await connected(page)
    const { id } = await story.send('toUsers', { user: 'vera', content: 'For you alone' })
    await poll(() => page.evaluate(() => window.heard.messages.map((message) => message.id))).toEqual([id])
    await page.evaluate(() => window.peyk.addTag('vip'))
    expect(await readInstallation(page)).toMatchObject({ userId: 'vera', tags: ['vip'] })
  })

  it('knows the user again when the service has forgotten the browser, and a guest when the secret is another', async () => {
    await forget(page)
    await page.evaluate(() => window.peyk.subscribe('public/news'))
    expect(await readInstallation(page)).toMatchObject({ userId: 'vera', isGuest: false })
    const userHash = hashOf('somebody')
    secret = (await story.call('POST', '/api/app/identitySecret')).body.identitySecret
    await isRefused({ userHash })
    await forget(page)
    await page.evaluate(() => window.peyk.subscribe('public/news'))
    expect(await readInstallation(page)).toMatchObject({ isGuest: true })
    expect(await logIn('vera', hashOf('vera'))).toEqual({ userId: 'vera' })
  })
})

describe('without a network', () => {
  it('what was tracked on a page that is gone is sent by the next one', async () => {
    // Of a page that closes, the browser ends the pretence of having no network first: this line is cut for certain.
    const line = await openLine(story.service.port)
    const context = await story.openBrowser()
    const page = await story.openTab(context, line.baseUrl)
    await page.evaluate(() => window.peyk.login('gone'))
    line.cut()
    await page.evaluate(() => window.peyk.track('Left'))
    await page.close()
    expect(await readEvents('gone')).toEqual([])
    line.mend()
    await story.openTab(context, line.baseUrl)
    await poll(async () => (await readEvents('gone')).map(({ eventName }) => eventName)).toEqual(['Left'])
  })

  it('it connects again when the service is back', async () => {
    const context = await story.openBrowser()
    const page = await story.openTab(context)
    await page.evaluate(() => window.peyk.login('patient'))
    await connected(page)
    await story.service.end('SIGTERM')
    await page.waitForFunction(() => window.peyk.connection.state === 'waiting')
    await story.service.start({ PEYK_MODE: 'development' })
    await connected(page)
    const { id } = await story.send('toUsers', { user: 'patient', content: 'Welcome back' })
    await poll(() => page.evaluate(() => window.heard.messages.map((message) => message.id))).toEqual([id])
  })
})
