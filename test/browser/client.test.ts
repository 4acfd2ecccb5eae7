import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { deliverPush } from '../helpers/browser.ts'
import { isThorough } from '../helpers/runner/effort.ts'
import { story } from '../helpers/runner/story.ts'
import { connected, forget, openStory, poll, shownOn } from './story.ts'

const shop = await openStory()
const readEvents = async (userId: string) =>
  (await shop.call('GET', `/api/events?userId=${userId}`)).body.data as Record<string, unknown>[]
const readInstallation = async (page: Page) => {
  const id = await page.evaluate(() => window.peyk.installationId)
  return (await shop.call('GET', `/api/installations/fetchById/${id}`)).body
}

story('a browser', () => {
  let page: Page

  beforeAll(async () => {
    page = await shop.openTab(await shop.openBrowser())
  })

  it('registers as a guest, and is the same installation when it comes back', async () => {
    const first = await readInstallation(page)
    expect(first).toMatchObject({ deviceType: 'web', isGuest: true, newInstall: true })
    expect(first.timeZone).toBeTruthy()
    expect(first.browserVersion).toBeTruthy()
    const again = await shop.openTab(page.context())
    expect((await readInstallation(again)).id).toBe(first.id)
    await again.close()
  })

  it('logs in and out', async () => {
    expect(await page.evaluate(() => window.peyk.login('sara'))).toMatchObject({ userId: 'sara', isGuest: false })
    expect(await readInstallation(page)).toMatchObject({ userId: 'sara', isGuest: false })
    await page.evaluate(() => window.peyk.logout())
    expect(await readInstallation(page)).toMatchObject({ isGuest: true })
    expect(await page.evaluate(() => window.peyk.userId)).toMatch(/^guest-/)
    await page.evaluate(() => window.peyk.login('sara'))
  })

  it('sends the hash of the user id that the app gives it, for apps that verify identities', async () => {
    // The connection of the user before may still be refused, and the page register again because of that.
    const sent = page.waitForRequest(
      (request) => request.method() === 'PUT' && request.postDataJSON()?.userId !== undefined,
    )
    await page.evaluate(() => window.peyk.login('sara', { userHash: 'a1b2' }))
    expect((await sent).postDataJSON()).toEqual({ userId: 'sara', isGuest: false, userHash: 'a1b2' })
  })

  it('changes tags, attributes and channels', async () => {
    await page.evaluate(async () => {
      const { peyk } = window
      await peyk.addTags(['vip', 'old', 'older'])
      await peyk.addTag('new')
      await peyk.addValueTag('city', 'tehran')
      await peyk.removeTag('old')
      await peyk.removeTags(['older'])
      await peyk.setAttributes({ name: 'Sara', born: new Date(0), sizes: ['m'], gone: 'x', score: 1 })
      await peyk.unsetAttributes(['gone'])
      await peyk.increment('score', 2)
      await peyk.increment('score')
      await peyk.addToArray('sizes', ['l', 'xl'])
      await peyk.removeFromArray('sizes', 'm')
      await peyk.subscribe('public/news')
      await peyk.subscribe('orders')
      await peyk.unsubscribe('orders')
    })
    const installation = await readInstallation(page)
    expect(installation).toMatchObject({
      tags: ['city', 'new', 'vip'],
      tagValues: { city: 'tehran' },
      userInfo: { name: 'Sara', born: '1970-01-01T00:00:00.000Z', sizes: ['l', 'xl'], score: 4 },
    })
    expect(installation.userInfo).not.toHaveProperty('gone')
    expect(installation.subscriptions).toContain('public/news')
    expect(installation.subscriptions).not.toContain('orders')
  })

  it('keeps the channels that a back end has added meanwhile', async () => {
    const { id, subscriptions } = await readInstallation(page)
    await shop.call('PUT', `/api/installations/${id}`, { subscriptions: [...subscriptions, 'public/offers'] })
    await page.evaluate(() => window.peyk.subscribe('public/more'))
    expect((await readInstallation(page)).subscriptions).toEqual(
      expect.arrayContaining(['public/news', 'public/offers', 'public/more']),
    )
  })

  it('tracks events, purchases and revenue', async () => {
    await page.evaluate(async () => {
      await window.peyk.track('Visited', { page: '/', at: new Date(0) })
      await window.peyk.trackPurchase('BoughtShoes', { revenue: 59.9, currency: 'EUR' }, { size: 'l' })
      await window.peyk.trackRevenue(5, 'IRR')
      await window.peyk.flush()
    })
    const events = await readEvents('sara')
    expect(events).toHaveLength(3)
    expect(events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ eventName: 'Visited', eventData: { page: '/', at: '1970-01-01T00:00:00.000Z' } }),
        expect.objectContaining({ eventName: 'BoughtShoes', revenue: 59.9, currency: 'EUR', eventData: { size: 'l' } }),
        expect.objectContaining({ eventName: 'Purchase', revenue: 5, currency: 'IRR' }),
      ]),
    )
  })

  it('is told what it did wrong', async () => {
    const failure = await page.evaluate(() =>
      window.peyk.login('not a user id').then(
        () => undefined,
        (error) => ({ code: error.code, status: error.status }),
      ),
    )
    expect(failure).toEqual({ code: 'invalid-request', status: 400 })
  })

  it('registers again when the service has forgotten it', async () => {
    const before = await readInstallation(page)
    await forget(page)
    await page.evaluate(() => window.peyk.subscribe('public/again'))
    const after = await readInstallation(page)
    expect(after.id).not.toBe(before.id)
    expect(after).toMatchObject({ userId: 'sara', isGuest: false })
    expect(after.subscriptions).toContain('public/again')
  })

  it('tells its other tabs that it has registered again', async () => {
    const other = await shop.openTab(page.context())
    const before = await page.evaluate(() => window.peyk.installationId)
    await shop.call('DELETE', '/api/users/sara')
    // What registers again while the user is still being deleted goes with the user, and registers once more.
    const isKnown = async () => {
      const ids = await Promise.all([page, other].map((tab) => tab.evaluate(() => window.peyk.installationId)))
      return ids[0] !== before && ids[0] === ids[1] && (await readInstallation(page)).id === ids[0]
    }
    await poll(isKnown).toBe(true)
    await other.close()
  })
})

story('a message', () => {
  let context: BrowserContext
  let page: Page
  const send = (body: object = {}) =>
    shop.send('toUsers', { user: 'reza', content: 'On its way', notification: { title: 'Order 42' }, ...body })
  const messagesOn = (tab: Page) => tab.evaluate(() => window.heard.messages.map(({ id }) => id))

  beforeAll(async () => {
    context = await shop.openBrowser()
    page = await shop.openTab(context)
    await page.evaluate(() => window.peyk.login('reza'))
    await page.evaluate(() => window.peyk.enableWebPush())
    await connected(page)
  })

  it('comes by the connection, is shown as a notification, and is delivered and shown for the service', async () => {
    const { id } = await send({ data: { order: 42 } })
    await poll(() => messagesOn(page)).toEqual([id])
    const [message] = await page.evaluate(() => window.heard.messages)
    expect(message).toMatchObject({ id, content: 'On its way', channel: 'default', data: { order: 42 } })
    await poll(() => shop.statesOf(id)).toMatchObject({ delivered: 1, shown: 1, opened: 0 })
    await poll(() => page.evaluate(() => window.heard.notifications)).toMatchObject([
      { messageId: id, shownBy: 'library' },
    ])
    expect(await shownOn(page)).toMatchObject([{ title: 'Order 42', body: 'On its way', tag: id }])
  })

  it('is in the inbox, and opened when it is marked as read', async () => {
    const [message] = await page.evaluate(() => window.peyk.inbox())
    expect(message).toMatchObject({ content: 'On its way', isRead: false })
    const id = message?.id as string
    await page.evaluate((read) => window.peyk.markAsRead(read), id)
    expect(await page.evaluate(() => window.peyk.inbox())).toMatchObject([{ id, isRead: true }])
    await poll(async () => (await shownOn(page)).map(({ tag }) => tag)).not.toContain(id)
    await poll(() => shop.statesOf(id)).toMatchObject({ opened: 1 })
  })

  it('that is silent or in-app is heard and not shown', async () => {
    const [silent, inApp, plain] = [await send({ silent: true }), await send({ inApp: true }), await send()]
    await poll(() => messagesOn(page)).toEqual(expect.arrayContaining([silent.id, inApp.id, plain.id]))
    await poll(() => shop.statesOf(plain.id)).toMatchObject({ shown: 1 })
    const tags = (await shownOn(page)).map(({ tag }) => tag)
    expect(tags).not.toContain(silent.id)
    expect(tags).not.toContain(inApp.id)
  })

  it('is shown once by two tabs, which share one connection and both hear it', async () => {
    const second = await shop.openTab(context)
    await connected(second)
    const { id } = await send()
    await poll(() => messagesOn(page)).toContain(id)
    await poll(() => messagesOn(second)).toContain(id)
    await poll(() => shop.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    expect((await shownOn(page)).filter(({ tag }) => tag === id)).toHaveLength(1)
    await poll(() => second.evaluate(() => window.heard.notifications.length)).toBe(1)
    expect(await second.evaluate(() => window.heard.states)).toEqual(['connected'])

    // When the tab that led is closed, the other one goes on.
    await page.close()
    page = second
    await poll(() => page.evaluate(() => window.heard.states.at(-1))).toBe('connected')
    const next = await send()
    await poll(() => messagesOn(page)).toContain(next.id)
    await poll(() => shop.statesOf(next.id)).toMatchObject({ delivered: 1, shown: 1 })
  })

  it.runIf(isThorough)('that comes as a push too is shown once, whichever was first', async () => {
    const { id } = await send()
    await poll(() => shop.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    const told = () => page.evaluate(() => window.heard.notifications.map(({ messageId }) => messageId))
    await deliverPush(page, { messageId: id, tag: id, title: 'Order 42', body: 'On its way' })
    const next = await send()
    await poll(told).toContain(next.id)
    expect((await told()).filter((messageId) => messageId === id)).toHaveLength(1)

    await page.close()
    const later = await send()
    const elsewhere = await context.newPage()
    await elsewhere.goto(shop.origin)
    await deliverPush(elsewhere, await shop.pushOf(later.id))
    await poll(() => shop.statesOf(later.id)).toMatchObject({ shown: 1 })
    page = await shop.openTab(context)
    await poll(() => messagesOn(page)).toContain(later.id)
    expect(await told()).not.toContain(later.id)
    await elsewhere.close()
  })

  it('is built by the app when its hook returns false', async () => {
    await page.evaluate(() => window.peyk.onBuildNotification(() => false))
    const { id } = await send()
    await poll(() => page.evaluate(() => window.heard.notifications.at(-1))).toMatchObject({
      messageId: id,
      shownBy: 'app',
    })
    expect((await shownOn(page)).map(({ tag }) => tag)).not.toContain(id)
    await page.evaluate(() => window.peyk.onBuildNotification(undefined))
  })

  it('waits while nobody is there, and comes by when somebody is, oldest first', async () => {
    const id = await page.evaluate(() => window.peyk.installationId)
    await page.close()
    // What is sent to a connection that is just ending may go to the push service instead.
    await poll(async () => (await shop.call('GET', `/api/installations/fetchById/${id}`)).body.connected).toBe(false)
    const [first, second] = [await send({ notification: undefined }), await send({ notification: undefined })]
    page = await shop.openTab(context)
    await poll(() => messagesOn(page)).toEqual([first.id, second.id])
  })

  it('of a user who logged out does not stay in the inbox', async () => {
    expect(await page.evaluate(() => window.peyk.inbox())).not.toEqual([])
    await page.evaluate(() => window.peyk.logout())
    expect(await page.evaluate(() => window.peyk.inbox())).toEqual([])
  })
})

describe('without a network', () => {
  it('what is tracked is kept, goes when the network is back, in its order and once', async () => {
    const context = await shop.openBrowser()
    const page = await shop.openTab(context)
    await page.evaluate(() => window.peyk.login('offline'))
    await connected(page)
    await context.setOffline(true)
    await page.evaluate(async () => {
      await window.peyk.track('First')
      await window.peyk.track('Second')
      await window.peyk.track('Third')
    })
    const failure = await page.evaluate(() => window.peyk.flush().catch((error) => error.code))
    expect(failure).toBe('network')
    expect(await readEvents('offline')).toEqual([])
    await context.setOffline(false)
    await poll(async () => (await readEvents('offline')).length).toBe(3)
    expect((await readEvents('offline')).map(({ eventName }) => eventName).reverse()).toEqual([
      'First',
      'Second',
      'Third',
    ])
  })
})

it('is there as a module too', async () => {
  const context = await shop.openBrowser()
  const page = await context.newPage()
  await page.goto(`${shop.origin}/module`)
  expect(await page.evaluate(() => typeof (window as { PeykModule?: unknown }).PeykModule)).toBe('function')
})
