import type { BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { deliverPush, findWorker } from '../helpers/browser.ts'
import { type openStory, poll } from './story.ts'

type Story = Awaited<ReturnType<typeof openStory>>

export const notification = {
  title: 'Order 42',
  body: 'On its way',
  clickUrl: 'https://example.com/orders/42',
  dir: 'rtl',
  actions: [
    { id: 'track', title: 'Where is it?', url: 'https://example.com/track' },
    { id: 'later', title: 'Later' },
  ],
}

/** A browser that is reached by pushes only: what the own connection does is told elsewhere. */
export async function openPushedBrowser(story: Story) {
  const context: BrowserContext = await story.openBrowser()
  const page: Page = await story.openTab(context)
  await page.evaluate(() => window.peyk.login('pushed'))
  expect(await page.evaluate(() => window.peyk.enableWebPush())).toEqual({ state: 'enabled' })
  await page.evaluate(() => window.peyk.close())

  const worker = () => findWorker(context, story.origin)
  /** Sends a notification, which the browser's push service brings. */
  const push = async (body: object = {}): Promise<string> => {
    const { id } = await story.send('notifyUsers', { user: 'pushed', content: 'Hello', notification, ...body })
    await deliverPush(page, await story.pushOf(id))
    return id
  }

  return {
    context,
    page,
    worker,
    push,
    shown: async (body: object = {}): Promise<string> => {
      const id = await push(body)
      await poll(() => story.statesOf(id)).toMatchObject({ shown: 1 })
      return id
    },
    /** The browser replaces its subscription, by the given one or none. Answers how the worker asked for another. */
    changeSubscription: async (subscription: object | undefined) =>
      (await worker()).evaluate(async (given) => {
        // biome-ignore lint/suspicious/noExplicitAny: TypeScript knows the page's world only
        const scope = self as any
        const asked: { applicationServerKey?: unknown }[] = []
        scope.PushManager.prototype.subscribe = async (options: object) => {
          asked.push(options)
          return { toJSON: () => ({ endpoint: 'https://push.example/made-anew', keys: { p256dh: 'x', auth: 'y' } }) }
        }
        scope.PushManager.prototype.getSubscription = async () => (given ? { toJSON: () => given } : null)
        const event = new scope.ExtendableEvent('pushsubscriptionchange')
        if (given) Object.assign(event, { newSubscription: given })
        let work: Promise<unknown> = Promise.resolve()
        Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => (work = promise) })
        scope.dispatchEvent(event)
        await work
        return asked
      }, subscription),
    /** As the service knows it. */
    readToken: async () => {
      const id = await page.evaluate(() => window.peyk.installationId)
      const { body } = await story.call('GET', `/api/installations/fetchById/${id}`)
      return JSON.parse(body.deviceToken)
    },
  }
}
