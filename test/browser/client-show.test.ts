import type { Page, WebSocketRoute } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { openUser } from './pushed-user.ts'
import { openStory, poll, shownOn } from './story.ts'

const story = await openStory()
const notificationsOn = (page: Page) => page.evaluate(() => window.heard.notifications)
const messagesOn = (page: Page) => page.evaluate(() => window.heard.messages.map(({ id }) => id))

let users = 0
let userId: string
const send = async (body: object = {}) =>
  (await story.send('toUsers', { user: userId, content: 'On its way', notification: { title: 'Order 42' }, ...body }))
    .id

beforeEach(() => {
  userId = `shown-${++users}`
})

describe('the build hook', () => {
  it('that returns null leaves the notification as it is', async () => {
    const page = await openUser(story, userId, await story.openBrowser())
    await page.evaluate(() => window.peyk.onBuildNotification(() => null))
    const id = await send()
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    await poll(() => notificationsOn(page)).toMatchObject([{ messageId: id, shownBy: 'library' }])
    expect(await shownOn(page)).toMatchObject([{ title: 'Order 42', tag: id }])
  })
})

describe('a message', () => {
  it('whose acknowledgement was lost comes again, and is heard and shown once', async () => {
    const context = await story.openBrowser()
    let isLosing = false
    const published: { isAgain: boolean }[] = []
    const lose = (line: WebSocketRoute) => {
      const service = line.connectToServer()
      line.onMessage((packet) => {
        const isPuback = (packet as Buffer).readUInt8(0) >> 4 === 4
        if (!isLosing || !isPuback) return service.send(packet)
        isLosing = false
        void service.close()
        void line.close()
      })
      service.onMessage((packet) => {
        const first = (packet as Buffer).readUInt8(0)
        if (first >> 4 === 3) published.push({ isAgain: (first & 8) !== 0 })
        line.send(packet)
      })
    }
    await context.routeWebSocket(/\/mqtt$/, lose)
    const page = await openUser(story, userId, context)
    isLosing = true
    // The report that the message was shown would do for its acknowledgement: it has to come later.
    const cameAgain = Promise.withResolvers<void>()
    await context.route('**/api/installations/events', async (route) => {
      await cameAgain.promise
      await route.continue()
    })
    const id = await send()
    await poll(() => published).toEqual([{ isAgain: false }, { isAgain: true }])
    cameAgain.resolve()
    await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1 })
    const after = await send()
    await poll(() => messagesOn(page)).toEqual([id, after])
    await poll(async () => (await notificationsOn(page)).map(({ messageId }) => messageId)).toEqual([id, after])
    expect((await shownOn(page)).filter(({ tag }) => tag === id)).toHaveLength(1)
  })
})
