import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { deliverPush } from '../helpers/browser.ts'
import { openUser } from './pushed-user.ts'
import { connected, openStory, poll, shownOn } from './story.ts'

const story = await openStory()
const notificationsOn = (page: Page) => page.evaluate(() => window.heard.notifications)

let users = 0
let userId: string
const send = async (body: object = {}) =>
  (await story.send('toUsers', { user: userId, content: 'On its way', notification: { title: 'Order 42' }, ...body }))
    .id

beforeEach(() => {
  userId = `shown-late-${++users}`
})

describe('the build hook', () => {
  it('may return functions: the rest is shown, told to all tabs, and the connection stays', async () => {
    const context = await story.openBrowser()
    const page = await openUser(story, userId, context)
    const second = await story.openTab(context)
    await connected(second)
    const statesBefore = await page.evaluate(() => window.heard.states.length)
    await page.evaluate(() =>
      window.peyk.onBuildNotification((notification) => {
        const changed = { ...notification, body: 'Mine', data: { order: 42, open: () => undefined } }
        return Object.assign(changed, { onclick: () => undefined })
      }),
    )
    const id = await send()
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    await poll(() => notificationsOn(page)).toMatchObject([{ messageId: id, shownBy: 'library' }])
    await poll(() => notificationsOn(second)).toMatchObject([{ messageId: id, shownBy: 'library' }])
    expect(await shownOn(page)).toMatchObject([{ body: 'Mine', tag: id }])
    expect((await notificationsOn(page))[0]?.notification.data).toMatchObject({ order: 42 })
    expect(await page.evaluate((before) => window.heard.states.slice(before), statesBefore)).toEqual([])
  })

  it('is asked though notifications are not allowed: the app may show it in its page', async () => {
    const page = await story.openTab(await story.openBrowser({ mayNotify: false }))
    await page.evaluate((user) => window.peyk.login(user), userId)
    await connected(page)
    await page.evaluate(() => window.peyk.onBuildNotification((_, { data }) => data?.kind !== 'chat'))
    const chat = await send({ data: { kind: 'chat' } })
    const other = await send()
    await poll(() => notificationsOn(page)).toMatchObject([
      { messageId: chat, shownBy: 'app' },
      { messageId: other, shownBy: 'nobody' },
    ])
    await poll(() => story.statesOf(chat)).toMatchObject({ delivered: 1, shown: 1, opened: 0, dismissed: 0 })
    await poll(() => story.statesOf(other)).toMatchObject({ delivered: 1, shown: 0 })
  })
})

describe('a message', () => {
  it('that could not be shown is shown when it comes again', async () => {
    const page = await openUser(story, userId, await story.openBrowser())
    await page.evaluate(() => {
      ServiceWorkerRegistration.prototype.showNotification = () => Promise.reject(new TypeError('not now'))
    })
    const id = await send()
    await poll(() => notificationsOn(page)).toMatchObject([{ messageId: id, shownBy: 'nobody' }])
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 0 })
    await deliverPush(page, { messageId: id, tag: id, title: 'Order 42', body: 'On its way' })
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    expect(await shownOn(page)).toMatchObject([{ title: 'Order 42', tag: id }])
  })

  it('whose tab was closed before it was shown is shown by the next one', async () => {
    const context = await story.openBrowser()
    const page = await openUser(story, userId, context)
    await page.evaluate(() => {
      window.peyk.onBuildNotification(() => {
        Object.assign(window, { isAsked: true })
        return new Promise(() => undefined)
      })
    })
    const id = await send()
    await page.waitForFunction(() => 'isAsked' in window)
    await page.close()
    const tab = await story.openTab(context)
    await poll(() => notificationsOn(tab)).toMatchObject([{ messageId: id, shownBy: 'library' }])
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
  })

  it('may draw attention again, and stay until it is touched, by the connection and as a push', async () => {
    const page = await openUser(story, userId, await story.openBrowser())
    const optionsOf = (tag: string) =>
      page.evaluate(async (wanted) => {
        const registration = await navigator.serviceWorker.getRegistration()
        const [shown] = (await registration?.getNotifications({ tag: wanted })) ?? []
        const { renotify, requireInteraction } = (shown ?? {}) as { renotify?: boolean; requireInteraction?: boolean }
        return { renotify, requireInteraction }
      }, tag)
    const notification = { title: 'Order 42', renotify: true, requireInteraction: true }
    const id = await send({ notification })
    await poll(() => story.statesOf(id)).toMatchObject({ shown: 1 })
    expect(await optionsOf(id)).toEqual({ renotify: true, requireInteraction: true })

    await page.evaluate(() => window.peyk.close())
    const pushed = (await story.send('notifyUsers', { user: userId, notification })).id
    await deliverPush(page, await story.pushOf(pushed))
    await poll(() => story.statesOf(pushed)).toMatchObject({ shown: 1 })
    expect(await optionsOf(pushed)).toEqual({ renotify: true, requireInteraction: true })
  })

  it('is shown though a hook took its tag away, which it needs to draw attention again', async () => {
    const page = await openUser(story, userId, await story.openBrowser())
    await page.evaluate(() => window.peyk.onBuildNotification(() => ({ renotify: true, tag: '' })))
    const id = await send()
    await poll(() => notificationsOn(page)).toMatchObject([{ messageId: id, shownBy: 'library' }])
  })
})
