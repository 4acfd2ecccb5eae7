import type { BrowserContext, Page, Worker } from 'playwright-core'
import { expect } from 'vitest'
import type { Message, OpenedNotification, Peyk, ShownNotification } from '../../sdk/src/peyk.ts'
import { closeWindowsAfterAll, openShop, openWindow } from '../helpers/browser.ts'
import { poll } from '../helpers/runner/poll.ts'
import { shareDemo, startDemo } from '../helpers/service/demo.ts'
import { caller } from '../helpers/service/test-server.ts'

declare global {
  interface Window {
    Peyk: typeof Peyk
    peyk: Peyk
    heard: {
      messages: Message[]
      notifications: ShownNotification[]
      states: string[]
      opened: OpenedNotification[]
    }
  }
}

export { poll }

/** The service as `npm start` runs it, a shop on another origin, and browsers to visit it with. Call it at the top of a file. */
export async function openStory({ isShared = true } = {}) {
  closeWindowsAfterAll()
  const service = await (isShared ? shareDemo() : startDemo())
  const { accessToken, clientKey, baseUrl, simulatorUrl } = await service.readDemo()
  const shop = await openShop(baseUrl)
  const call = caller(baseUrl, accessToken)
  const simulator = caller(simulatorUrl, '')

  const send = async (path: 'toUsers' | 'notifyUsers', body: object): Promise<{ id: string; count: number }> => {
    const answer = await call('POST', `/api/push/${path}`, body)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  return {
    service,
    baseUrl,
    clientKey,
    origin: shop.origin,
    call,
    send,
    statesOf: async (id: string) => (await call('GET', `/api/messages/${id}`)).body.states,
    /** A browser that may show notifications of the shop, and whose push service is the simulator's. */
    openBrowser: async ({ mayNotify = true } = {}): Promise<BrowserContext> => {
      const context = await openWindow()
      if (mayNotify) await context.grantPermissions(['notifications'], { origin: shop.origin })
      const { publicKey } = (await caller(baseUrl, clientKey)('GET', '/api/webPush/publicKey')).body
      const made = await simulator('POST', '/tokens', { provider: 'webpush', count: 1, vapidKey: publicKey })
      await context.addInitScript(subscribeAtSimulator, made.body.tokens[0] as string)
      return context
    },
    /** A tab of the shop that has registered. */
    openTab: async (context: BrowserContext, serviceUrl = baseUrl): Promise<Page> => {
      const page = await context.newPage()
      await page.goto(shop.origin)
      await page.evaluate(startPeyk, { appId: 'demo', clientKey, baseUrl: serviceUrl })
      await page.evaluate(() => window.peyk.register())
      return page
    },
    /** What the push service was given for the browser, decrypted. */
    pushOf: async (id: string): Promise<object> => {
      const list = async () => (await simulator('GET', `/received?provider=webpush&messageId=${id}`)).body
      await poll(async () => (await list()).length).toBeGreaterThan(0)
      return (await list())[0].payload
    },
  }
}

/** The one call that cannot be made here: the browser's push service is out of reach. */
function subscribeAtSimulator(token: string): void {
  if (!('PushManager' in window)) return
  const subscription = { toJSON: () => JSON.parse(token), unsubscribe: async () => true }
  let current: typeof subscription | null = null
  Object.assign(PushManager.prototype, {
    getSubscription: async () => current,
    subscribe: async () => {
      current = subscription
      return subscription
    },
  })
}

function startPeyk(options: { appId: string; clientKey: string; baseUrl: string }): void {
  window.peyk = new window.Peyk(options)
  window.heard = { messages: [], notifications: [], states: [], opened: [] }
  window.peyk.on('message', (message) => window.heard.messages.push(message))
  window.peyk.on('notification', (shown) => window.heard.notifications.push(shown))
  window.peyk.on('connection', ({ state }) => window.heard.states.push(state))
  window.peyk.onNotificationOpen((action) => void window.heard.opened.push(action))
}

/**
 * The notifications on the screen. Not to be asked before the service knows of them: Chromium takes one that it has not
 * drawn yet for one that is gone, and forgets it.
 */
export async function shownOn(page: Page): Promise<{ title: string; body: string; tag: string; actions: string[] }[]> {
  return page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration()
    const shown = (await registration?.getNotifications()) ?? []
    return shown.map((notification) => {
      const { title, body, tag } = notification
      const { actions = [] } = notification as { actions?: { action: string }[] }
      return { title, body, tag, actions: actions.map(({ action }) => action) }
    })
  })
}

/** In a page or a service worker: whatever is written there from now on does not fit, or does again. */
export function leaveRoom(isLeft: boolean): void {
  for (const name of ['put', 'add'] as const) {
    const own: { [key: string]: unknown } = IDBObjectStore.prototype as never
    own[`real-${name}`] ??= own[name]
    const write = own[`real-${name}`] as typeof IDBObjectStore.prototype.put
    own[name] = function (this: IDBObjectStore, ...args: Parameters<typeof write>) {
      const request = write.apply(this, args)
      if (!isLeft) request.addEventListener('success', () => this.transaction.abort())
      return request
    }
  }
}

/** The user touches a notification: the event is the browser's own, only its origin is ours. Answers what was opened. */
export async function touch(
  worker: Worker,
  { tag, kind, action = '' }: { tag: string; kind: 'notificationclick' | 'notificationclose'; action?: string },
): Promise<string[]> {
  return worker.evaluate(
    async ([wantedTag, type, actionId]) => {
      // biome-ignore lint/suspicious/noExplicitAny: TypeScript knows the page's world only
      const scope = self as any
      const [notification] = await scope.registration.getNotifications({ tag: wantedTag })
      if (!notification) throw new Error(`no notification ${wantedTag} is shown`)
      const opened: string[] = []
      // A window is opened only for a person's click.
      scope.clients.openWindow = async (url: string) => void opened.push(url)
      scope.WindowClient.prototype.focus = async function () {
        opened.push(`focus ${this.url}`)
      }
      const event = new scope.NotificationEvent(type, { notification, action: actionId })
      let work: Promise<unknown> = Promise.resolve()
      Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => (work = promise) })
      scope.dispatchEvent(event)
      await work
      return opened
    },
    [tag, kind, action] as const,
  )
}

export const connected = (page: Page) => page.waitForFunction(() => window.peyk.connection.state === 'connected')

/** The browser believes in an installation that the service does not know. */
export const forget = (page: Page): Promise<void> =>
  page.evaluate(async (id) => {
    const open = indexedDB.open('peyk:demo')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const store = open.result.transaction('state', 'readwrite').objectStore('state')
    const reading = store.get('installation')
    await new Promise((resolve) => {
      reading.onsuccess = () => {
        store.put({ ...reading.result, id }, 'installation').onsuccess = resolve
      }
    })
  }, crypto.randomUUID())
