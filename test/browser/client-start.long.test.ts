import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { connected, openStory, poll } from './story.ts'

const story = await openStory()
const options = { appId: 'demo', clientKey: story.clientKey, baseUrl: story.baseUrl }

/** As the browser keeps them, whoever they are for. */
const countMessages = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const open = indexedDB.open('peyk:demo')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const counting = open.result.transaction('inbox').objectStore('inbox').count()
    await new Promise((resolve) => {
      counting.onsuccess = resolve
    })
    open.result.close()
    return counting.result
  })

const keepInstallation = (page: Page, installation: object): Promise<void> =>
  page.evaluate(async (kept) => {
    const open = indexedDB.open('peyk:demo')
    await new Promise((resolve) => {
      open.onsuccess = resolve
    })
    const transaction = open.result.transaction('state', 'readwrite')
    transaction.objectStore('state').put(kept, 'installation')
    await new Promise((resolve) => {
      transaction.oncomplete = resolve
    })
    open.result.close()
  }, installation)

describe('a user who left while no page was open', () => {
  it('leaves no messages behind in the browser', async () => {
    const context = await story.openBrowser()
    const first = await story.openTab(context)
    const known = await first.evaluate(() => window.peyk.installationId)
    await first.evaluate(() => window.peyk.login('leaver'))
    await connected(first)
    await story.send('toUsers', { user: 'leaver', content: 'For you alone' })
    await poll(() => countMessages(first)).toBe(1)
    await first.close()
    await story.call('PUT', `/api/installations/${known}`, { isGuest: true })
    const next = await story.openTab(context)
    await poll(() => next.evaluate(() => window.peyk.userId)).toMatch(/^guest-/)
    await poll(() => countMessages(next)).toBe(0)
  })

  it('leaves none behind either when the page was closed as soon as it had heard of it', async () => {
    const context = await story.openBrowser()
    const first = await story.openTab(context)
    const known = await first.evaluate(() => window.peyk.installationId)
    await first.evaluate(() => window.peyk.login('leaver-2'))
    await connected(first)
    await story.send('toUsers', { user: 'leaver-2', content: 'For you alone' })
    await poll(() => countMessages(first)).toBe(1)
    // As far as the page came: it has kept whose browser it is now, and has not dropped the messages.
    await first.evaluate(() => window.peyk.close())
    const { body } = await story.call('PUT', `/api/installations/${known}`, { isGuest: true })
    await keepInstallation(first, { id: known, userId: body.userId, isGuest: true, subscriptions: [] })
    await first.close()
    const next = await story.openTab(context)
    await poll(() => countMessages(next)).toBe(0)
  })
})

describe('a login right after the start', () => {
  it('is never taken for a refusal', async () => {
    const page = await (await story.openBrowser()).newPage()
    await page.goto(story.origin)
    // The line opens when the user has changed already.
    await page.evaluate(async (given) => {
      const Real = WebSocket
      let letGo: () => void = () => undefined
      const changed = new Promise<void>((resolve) => {
        letGo = resolve
      })
      class Late extends Real {
        override send(data: Parameters<WebSocket['send']>[0]): void {
          void changed.then(() => super.send(data))
        }
      }
      Object.assign(window, { WebSocket: Late })
      window.peyk = new window.Peyk(given)
      const states: string[] = []
      Object.assign(window, { states })
      window.peyk.on('connection', ({ state }) => states.push(state))
      await window.peyk.register()
      await fetch(`${given.baseUrl}/api/installations/${window.peyk.installationId}`, {
        method: 'PUT',
        headers: { 'x-access-token': given.clientKey, 'content-type': 'application/json' },
        body: JSON.stringify({ userId: 'hasty', isGuest: false }),
      })
      letGo()
    }, options)
    await connected(page)
    const states = await page.evaluate(() => (window as unknown as { states: string[] }).states)
    expect(states).not.toContain('refused')
    expect(states).toContain('waiting')
    expect(await page.evaluate(() => window.peyk.userId)).toBe('hasty')
  })
})

describe('a page that takes part no more', () => {
  it('leaves the other tabs their connection', async () => {
    const context = await story.openBrowser()
    const leading = await story.openTab(context)
    await leading.evaluate(() => window.peyk.login('keeper'))
    await connected(leading)
    const other = await story.openTab(context)
    await connected(other)
    const states = await leading.evaluate(() => window.heard.states)
    await other.evaluate(() => window.peyk.close())
    const { id } = await story.send('toUsers', { user: 'keeper', content: 'Still here' })
    await poll(() => leading.evaluate(() => window.heard.messages.map((message) => message.id))).toEqual([id])
    expect(await leading.evaluate(() => window.heard.states)).toEqual(states)
    const next = await story.openTab(context)
    await connected(next)
    await leading.evaluate(() => window.peyk.close())
    await poll(() => next.evaluate(() => window.heard.states)).toEqual(['connected', 'connecting', 'connected'])
  })
})
