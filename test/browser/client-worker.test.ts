import { once } from 'node:events'
import { createServer } from 'node:http'
import type { BrowserContext, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { findWorker } from '../helpers/browser.ts'
import { isThorough } from '../helpers/runner/effort.ts'
import { connected, openStory, poll, touch } from './story.ts'

const story = await openStory()

/** A site that has a service worker of its own, and registers it at each load. */
async function openSite(worker: string): Promise<string> {
  const page = `<!doctype html><script src="${story.baseUrl}/sdk/peyk.js"></script><script>
    window.installed = 0
    window.registered = navigator.serviceWorker.register('/sw.js').then((registration) => {
      registration.addEventListener('updatefound', () => window.installed++)
      return navigator.serviceWorker.ready
    })</script>`
  const server = createServer(({ url }, response) => {
    const isWorker = url?.startsWith('/sw.js')
    response
      .writeHead(200, { 'content-type': isWorker ? 'text/javascript' : 'text/html' })
      .end(isWorker ? worker : page)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://localhost:${(server.address() as { port: number }).port}`
}

async function openPage(context: BrowserContext, origin: string, options: object = {}): Promise<Page> {
  await context.grantPermissions(['notifications'], { origin })
  const page = await context.newPage()
  await page.goto(origin)
  await page.evaluate(
    async (given) => {
      await (window as unknown as { registered: Promise<unknown> }).registered
      window.peyk = new window.Peyk(given)
      window.heard = { messages: [], notifications: [], states: [], opened: [] }
      window.peyk.onNotificationOpen((action) => void window.heard.opened.push(action))
      await window.peyk.register()
    },
    { appId: 'demo', clientKey: story.clientKey, baseUrl: story.baseUrl, ...options },
  )
  return page
}

const login = async (page: Page, userId: string) => {
  await page.evaluate((user) => window.peyk.login(user), userId)
  await connected(page)
}
const workersOf = (page: Page) =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const urls = [registration?.active, registration?.waiting, registration?.installing].map((one) => one?.scriptURL)
    const { installed } = window as unknown as { installed: number }
    return { urls: urls.filter((url) => url !== undefined), installed }
  })

describe('a site with a service worker of its own', () => {
  it('that knows nothing of us: notifications are those of the page', async () => {
    const origin = await openSite('self.addEventListener("fetch", () => undefined)')
    const page = await openPage(await story.openBrowser(), origin)
    await page.evaluate(() => {
      const pages: string[] = []
      const workers: string[] = []
      const Real = Notification
      class Kept extends Real {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options)
          pages.push(title)
        }
      }
      Object.assign(window, { Notification: Kept, pages, workers })
      ServiceWorkerRegistration.prototype.showNotification = async (title) => void workers.push(title)
    })
    await login(page, 'foreign')
    const { id } = await story.send('toUsers', { user: 'foreign', content: 'Hello', notification: { title: 'Hi' } })
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    expect(await page.evaluate(() => (window as unknown as { pages: string[] }).pages)).toEqual(['Hi'])
    expect(await page.evaluate(() => (window as unknown as { workers: string[] }).workers)).toEqual([])
  })

  it.runIf(isThorough)('that takes ours in: it is used as it is, and knows the app', async () => {
    const ours = `self.PEYK_APP_ID = 'demo'; importScripts('${story.baseUrl}/sdk/peyk-sw.js')`
    const origin = await openSite(ours)
    const context = await story.openBrowser()
    const page = await openPage(context, origin, { serviceWorker: '/sw.js' })
    await login(page, 'merged')
    expect(await page.evaluate(() => window.peyk.enableWebPush())).toEqual({ state: 'enabled' })
    expect(await workersOf(page)).toMatchObject({ urls: [`${origin}/sw.js`] })
    const { id } = await story.send('toUsers', { user: 'merged', content: 'Hello', notification: { title: 'Hi' } })
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    await touch(await findWorker(context, origin), { tag: id, kind: 'notificationclick' })
    await poll(() => story.statesOf(id)).toMatchObject({ opened: 1 })
    await poll(() => page.evaluate(() => window.heard.opened)).toMatchObject([{ kind: 'opened', messageId: id }])

    // At later visits nothing is installed either.
    for (let visit = 0; visit < 2; visit++) {
      const again = await openPage(context, origin, { serviceWorker: '/sw.js' })
      expect(await again.evaluate(() => window.peyk.enableWebPush())).toEqual({ state: 'enabled' })
      expect(await workersOf(again)).toEqual({ urls: [`${origin}/sw.js`], installed: 0 })
      await again.close()
    }
  })
})
