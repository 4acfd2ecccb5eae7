import { describe, expect, it } from 'vitest'
import { openPushedBrowser } from './pushed-browser.ts'
import { connected, openStory, poll } from './story.ts'

const story = await openStory({ isShared: false })
const { context, page, worker, changeSubscription, readToken } = await openPushedBrowser(story)

describe('a subscription that the browser replaces while the service is away', () => {
  const replaceWhileAway = async (subscription: object) => {
    await story.service.end('SIGTERM')
    await changeSubscription(subscription)
    await story.service.start({ PEYK_MODE: 'development' })
  }
  const closeTabs = async () => {
    for (const open of context.pages()) if (open !== page) await open.close()
  }

  it('is told when the browser says that there is a network', async () => {
    await closeTabs()
    const subscription = { endpoint: 'https://push.example/while-away', keys: { p256dh: 'c', auth: 'd' } }
    await replaceWhileAway(subscription)
    await (await worker()).evaluate(async () => {
      // biome-ignore lint/suspicious/noExplicitAny: TypeScript knows the page's world only
      const scope = self as any
      const event = new scope.ExtendableEvent('sync')
      let work: Promise<unknown> = Promise.resolve()
      Object.defineProperty(event, 'waitUntil', { value: (promise: Promise<unknown>) => (work = promise) })
      scope.dispatchEvent(event)
      await work
    })
    expect(await readToken()).toEqual(subscription)
  })

  it('is told by an open page when it is connected again', async () => {
    const tab = await story.openTab(context)
    await tab.evaluate(() => window.peyk.enableWebPush())
    await connected(tab)
    const ofPage = await readToken()
    // What the worker knows is told first; then the browser has another one.
    await poll(async () => {
      await changeSubscription({ endpoint: 'https://push.example/before', keys: { p256dh: 'e', auth: 'f' } })
      return readToken()
    }).toMatchObject({ endpoint: 'https://push.example/before' })
    await replaceWhileAway({ endpoint: 'https://push.example/lost', keys: { p256dh: 'g', auth: 'h' } })
    // The longer the service was away, the longer the page waits before it tries again.
    await connected(tab)
    await poll(readToken).toEqual(ofPage)
  })
})

describe('permission', () => {
  it('counts for the installation that is registered again where the service has forgotten it', async () => {
    const tab = await story.openTab(await story.openBrowser())
    const userId = await tab.evaluate(() => window.peyk.userId)
    // So that nothing else finds out before.
    await tab.evaluate(() => {
      class Silent {
        close() {}
        send() {}
      }
      Object.assign(window, { WebSocket: Silent })
    })
    await story.call('DELETE', `/api/users/${userId}`)
    expect(await tab.evaluate(() => window.peyk.enableWebPush())).toEqual({ state: 'enabled' })
    const id = await tab.evaluate(() => window.peyk.installationId)
    const { body } = await story.call('GET', `/api/installations/fetchById/${id}`)
    expect(body).toMatchObject({ tokenStatus: 'ALLOWED', deviceToken: expect.stringContaining('endpoint') })
  })

  it('that is denied is reported to the app and to the service', async () => {
    const other = await story.openBrowser({ mayNotify: false })
    await other.addInitScript(() => {
      Notification.requestPermission = async () => 'denied'
    })
    const tab = await story.openTab(other)
    expect(await tab.evaluate(() => window.peyk.enableWebPush())).toMatchObject({ state: 'denied' })
    const id = await tab.evaluate(() => window.peyk.installationId)
    const { body } = await story.call('GET', `/api/installations/fetchById/${id}`)
    expect(body.tokenStatus).toBe('DENIED')
    expect(body.deviceToken).toBeUndefined()
    await other.setOffline(true)
    expect(await tab.evaluate(() => window.peyk.enableWebPush())).toMatchObject({ state: 'denied' })
  })

  it('cannot be asked for where there is no web push', async () => {
    const other = await story.openBrowser()
    await other.addInitScript(() => {
      Reflect.deleteProperty(window, 'PushManager')
    })
    const tab = await story.openTab(other)
    expect(await tab.evaluate(() => window.peyk.enableWebPush())).toEqual({
      state: 'unsupported',
      reason: 'This page has no push-manager.',
    })
  })
})
