import type { BrowserContext, Page, Route } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { connected, leaveRoom, openStory, poll } from './story.ts'
import { numbered, readNames, trackAll } from './tracked.ts'

const story = await openStory()
const address = `${story.baseUrl}/api/installations/events`
const namesIn = (route: Route): string[] =>
  route
    .request()
    .postDataJSON()
    .eventData.map(({ data }: { data: { eventName: string } }) => data.eventName)
const refuse = (route: Route, status: number, headers: Record<string, string> = {}) =>
  route.fulfill({
    status,
    headers: { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'retry-after', ...headers },
    json: { error: { code: 'refused', message: 'No.' } },
  })

/** The queue as the browser keeps it; `add` puts elements in, all at once. */
const readQueue = (page: Page, add: object[] = []): Promise<string[]> =>
  page.evaluate(async (elements) => {
    const open = indexedDB.open('peyk:demo')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const store = open.result.transaction('queue', 'readwrite').objectStore('queue')
    for (const element of elements) store.add(element)
    const reading: IDBRequest<{ data: { eventName: string } }[]> = store.getAll()
    await new Promise((resolve) => {
      reading.onsuccess = resolve
    })
    open.result.close()
    return reading.result.map(({ data }) => data.eventName)
  }, add)

let context: BrowserContext
let page: Page
let users = 0
let userId: string

beforeEach(async () => {
  context = await story.openBrowser()
  page = await story.openTab(context)
  userId = `queue-late-${++users}`
  await page.evaluate((user) => window.peyk.login(user), userId)
  await connected(page)
})

describe('a long queue', () => {
  it('goes out in smaller parts when it is too much at once, without what the service does not take', async () => {
    const tries: number[] = []
    await page.route(address, (route) => {
      const names = namesIn(route)
      tries.push(names.length)
      if (names.length > 10) return refuse(route, 413)
      return names.includes('Event017') ? refuse(route, 400) : route.continue()
    })
    const said: string[] = []
    page.on('console', (message) => message.text().startsWith('Peyk:') && said.push(message.text()))
    const names = numbered(40)
    await context.setOffline(true)
    await trackAll(page, names)
    await context.setOffline(false)
    await poll(() => readNames(story, userId)).toEqual(names.filter((name) => name !== 'Event017'))
    await poll(() => readQueue(page)).toEqual([])
    expect(tries).toContain(1)
    await poll(() => said).toEqual([expect.stringContaining('Event017')])
  })

  it('has 5,000 places: then the oldest go', async () => {
    await context.setOffline(true)
    const element = (at: number) => ({
      type: 2,
      data: { id: `e${at}`, eventName: `Old${at}`, createdAt: at, data: {} },
    })
    await readQueue(
      page,
      Array.from({ length: 4_999 }, (_, at) => element(at)),
    )
    await trackAll(page, ['A', 'B', 'C'])
    const kept = await readQueue(page)
    expect(kept).toHaveLength(5_000)
    expect(kept[0]).toBe('Old2')
    expect(kept.slice(-4)).toEqual(['Old4998', 'A', 'B', 'C'])
  })
})

describe('a browser that has no room left', () => {
  it('shows a message and acknowledges it all the same, and keeps its connection', async () => {
    await page.evaluate(leaveRoom, false)
    const states = await page.evaluate(() => window.heard.states)
    const { id } = await story.send('toUsers', { user: userId, content: 'No room' })
    await poll(async () => (await story.statesOf(id)).delivered).toBe(1)
    const { messages, notifications, states: later } = await page.evaluate(() => window.heard)
    expect(messages).toMatchObject([{ id }])
    expect(notifications).toMatchObject([{ messageId: id, shownBy: 'library' }])
    expect(later).toEqual(states)
    expect(await page.evaluate(() => window.peyk.track('A').catch(({ code }) => code))).toBe('storage')
  })
})

describe('what is tracked while the service cannot take it', () => {
  it('does not make it ask each time', async () => {
    let asked = 0
    page.on('request', (request) => request.url() === address && request.method() === 'POST' && asked++)
    await context.setOffline(true)
    await trackAll(page, numbered(100))
    await poll(() => asked).toBeGreaterThan(0)
    // With pauses that double, so many would take minutes.
    expect(asked).toBeLessThan(20)
    await context.setOffline(false)
    await poll(() => readQueue(page)).toEqual([])
    expect(await readNames(story, userId)).toEqual(numbered(100))
  })

  it('waits as long as the service asks for', async () => {
    const askedAt: number[] = []
    await page.route(address, (route) => {
      askedAt.push(Date.now())
      return askedAt.length === 1 ? refuse(route, 503, { 'retry-after': '10' }) : route.continue()
    })
    await trackAll(page, ['First'])
    await poll(() => askedAt.length).toBe(1)
    await trackAll(page, numbered(20))
    await page.evaluate(() => window.dispatchEvent(new Event('online')))
    await poll(() => readNames(story, userId)).toEqual(['First', ...numbered(20)])
    expect(askedAt).toHaveLength(2)
    expect((askedAt[1] as number) - (askedAt[0] as number)).toBeGreaterThanOrEqual(9_900)
  })
})
