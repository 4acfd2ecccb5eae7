import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { deliverPush } from '../helpers/browser.ts'
import { story } from '../helpers/runner/story.ts'
import { notification, openPushedBrowser } from './pushed-browser.ts'
import { connected, leaveRoom, openStory, poll, shownOn, touch } from './story.ts'

const shop = await openStory()
const { context, page, worker, push, shown, changeSubscription, readToken } = await openPushedBrowser(shop)

story('web push in a browser', () => {
  it('a push is shown by the service worker as the service drew it, and counted', async () => {
    const id = await shown()
    expect((await shownOn(page)).find(({ tag }) => tag === id)).toEqual({
      title: 'Order 42',
      body: 'On its way',
      tag: id,
      actions: ['track', 'later'],
    })
    expect(await shop.statesOf(id)).toMatchObject({ shown: 1, opened: 0 })
  })

  it('a push that comes again, while it is shown or after it was opened, is not shown again', async () => {
    const id = await shown()
    const again = await shop.pushOf(id)
    await deliverPush(page, again)
    const other = await shown()
    expect((await shownOn(page)).filter(({ tag }) => tag === id)).toHaveLength(1)
    await touch(await worker(), { tag: id, kind: 'notificationclick' })
    await deliverPush(page, again)
    await shown()
    expect((await shownOn(page)).map(({ tag }) => tag)).not.toContain(id)
    expect((await shownOn(page)).map(({ tag }) => tag)).toContain(other)
  })

  it('a push that is silent shows nothing and counts as delivered', async () => {
    const id = await push({ silent: true })
    await poll(() => shop.statesOf(id)).toMatchObject({ delivered: 1, shown: 0 })
    expect((await shownOn(page)).map(({ tag }) => tag)).not.toContain(id)
  })

  it('a push that is none of ours is left alone', async () => {
    await deliverPush(page, { title: 'From somebody else' })
    const id = await shown()
    expect((await shownOn(page)).map(({ title }) => title)).not.toContain('From somebody else')
    expect(id).toBeDefined()
  })

  it('a notification of the service worker opens its address, and is counted as opened', async () => {
    const id = await shown()
    expect(await touch(await worker(), { tag: id, kind: 'notificationclick' })).toEqual([notification.clickUrl])
    await poll(async () => (await shownOn(page)).map(({ tag }) => tag)).not.toContain(id)
    await poll(() => shop.statesOf(id)).toMatchObject({ shown: 1, opened: 1, acted: 0, dismissed: 0 })
  })

  it('a notification of the service worker opens the address of the button that was pressed, and tells the service which', async () => {
    const id = await shown()
    const opened = await touch(await worker(), { tag: id, kind: 'notificationclick', action: 'track' })
    expect(opened).toEqual(['https://example.com/track'])
    await poll(() => shop.statesOf(id)).toMatchObject({ acted: 1, opened: 0 })
    expect((await shop.call('GET', `/api/messages/${id}`)).body.actions).toEqual({ track: 1 })
  })

  it('a notification of the service worker opens nothing when it is dismissed, and is counted so', async () => {
    const id = await shown()
    expect(await touch(await worker(), { tag: id, kind: 'notificationclose' })).toEqual([])
    await poll(() => shop.statesOf(id)).toMatchObject({ dismissed: 1, opened: 0 })
  })

  it('a notification of the service worker opens its address though the browser has no room left', async () => {
    const id = await shown()
    await (await worker()).evaluate(leaveRoom, false)
    expect(await touch(await worker(), { tag: id, kind: 'notificationclick' })).toEqual([notification.clickUrl])
    await (await worker()).evaluate(leaveRoom, true)
  })

  it('a notification of the service worker whose address is no page brings up the app', async () => {
    const id = await shown({ notification: { title: 'App', clickUrl: 'shop://orders/42' } })
    const opened = await touch(await worker(), { tag: id, kind: 'notificationclick' })
    expect(opened).toEqual([`focus ${shop.origin}/`])
    await poll(() => shop.statesOf(id)).toMatchObject({ opened: 1 })
  })

  let tab: Page

  it('with a page open the open hook is told of all three kinds', async () => {
    tab = await shop.openTab(context)
    await connected(tab)
    const [opened, acted, dismissed] = [await shown(), await shown(), await shown()]
    await touch(await worker(), { tag: opened, kind: 'notificationclick' })
    await touch(await worker(), { tag: acted, kind: 'notificationclick', action: 'later' })
    await touch(await worker(), { tag: dismissed, kind: 'notificationclose' })
    const told = await tab.evaluate(() => window.heard.opened)
    expect(told.slice(-3)).toMatchObject([
      { kind: 'opened', messageId: opened, url: notification.clickUrl },
      { kind: 'action-taken', messageId: acted, actionId: 'later' },
      { kind: 'dismissed', messageId: dismissed },
    ])
  })

  it('with a page open the open hook prevents the opening; the receipt is reported all the same', async () => {
    await tab.evaluate(() => window.peyk.onNotificationOpen(() => false))
    const id = await shown()
    expect(await touch(await worker(), { tag: id, kind: 'notificationclick' })).toEqual([])
    await poll(() => shop.statesOf(id)).toMatchObject({ opened: 1 })
  })

  it('with a page open the build hook changes what is shown', async () => {
    await tab.evaluate(() => window.peyk.onBuildNotification(({ title }) => ({ title: `${title}!`, body: 'Changed' })))
    const id = await shown()
    expect((await shownOn(page)).find(({ tag }) => tag === id)).toMatchObject({ title: 'Order 42!', body: 'Changed' })
  })

  it('with a page open the build hook that returns false shows it itself: it counts as shown, and nothing else is collected', async () => {
    await tab.evaluate(() => {
      window.peyk.onBuildNotification(async ({ title, tag }, { id }) => {
        const registration = await navigator.serviceWorker.getRegistration()
        await registration?.showNotification(`Own ${title}`, { tag: `own-${tag ?? id}` })
        return false
      })
    })
    const id = await shown()
    expect((await shownOn(page)).map(({ title }) => title)).toContain('Own Order 42')
    await touch(await worker(), { tag: `own-${id}`, kind: 'notificationclick' })
    await tab.evaluate(() => window.peyk.onBuildNotification(undefined))
    const later = await shown()
    await touch(await worker(), { tag: later, kind: 'notificationclick' })
    await poll(() => shop.statesOf(later)).toMatchObject({ opened: 1 })
    expect(await shop.statesOf(id)).toMatchObject({ shown: 1, opened: 0, acted: 0, dismissed: 0 })
  })

  it('tells the page that is opened next what it was opened by', async () => {
    for (const open of context.pages().slice(1)) if (open !== page) await open.close()
    const id = await shown()
    await touch(await worker(), { tag: id, kind: 'notificationclick' })
    const tab = await shop.openTab(context)
    await poll(() => tab.evaluate(() => window.heard.opened)).toMatchObject([{ kind: 'opened', messageId: id }])
  })

  it('reports what became of a notification while there was no network when there is one again', async () => {
    const id = await shown()
    await context.setOffline(true)
    await touch(await worker(), { tag: id, kind: 'notificationclick' })
    expect(await shop.statesOf(id)).toMatchObject({ shown: 1, opened: 0 })
    await context.setOffline(false)
    await shop.openTab(context)
    await poll(() => shop.statesOf(id)).toMatchObject({ shown: 1, opened: 1 })
  })

  it('a subscription that the browser replaces is told to the service by the service worker', async () => {
    const subscription = { endpoint: 'https://push.example/given', keys: { p256dh: 'a', auth: 'b' } }
    // The page may be telling its own subscription, which stays the old one here, at the same moment.
    await poll(async () => {
      expect(await changeSubscription(subscription)).toEqual([])
      return readToken()
    }).toEqual(subscription)
  })

  it('a subscription that the browser replaces is made anew with the same key when the browser brings none', async () => {
    const { publicKey } = (await shop.call('GET', '/api/webPush/publicKey')).body
    await poll(async () => {
      const asked = await changeSubscription(undefined)
      expect(asked).toEqual([{ userVisibleOnly: true, applicationServerKey: publicKey }])
      return readToken()
    }).toMatchObject({ endpoint: 'https://push.example/made-anew' })
  })
})
