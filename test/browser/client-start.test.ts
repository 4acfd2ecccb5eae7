import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openStory, poll } from './story.ts'

const story = await openStory()
const options = { appId: 'demo', clientKey: story.clientKey, baseUrl: story.baseUrl }
const connected = (page: Page) => page.waitForFunction(() => window.peyk.connection.state === 'connected')

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

/** A page of the shop on which nothing has been started. */
async function openPlain(context: BrowserContext): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(story.origin)
  return { page, faults }
}

describe('a later visit', () => {
  it('knows the installation at once, though the service does not answer', async () => {
    const context = await story.openBrowser()
    const first = await story.openTab(context)
    const known = await first.evaluate(() => window.peyk.installationId)
    await first.close()
    const { page } = await openPlain(context)
    let letGo: () => void = () => undefined
    const held = new Promise<void>((resolve) => {
      letGo = resolve
    })
    let isHeard = false
    await page.route(`${story.baseUrl}/api/installations/${known}`, async (route) => {
      await held
      isHeard = true
      await route.continue()
    })
    const { installationId } = await page.evaluate((given) => {
      window.peyk = new window.Peyk(given)
      return window.peyk.register()
    }, options)
    expect(installationId).toBe(known)
    expect(isHeard).toBe(false)
    await connected(page)
    letGo()
    await poll(() => isHeard).toBe(true)
  })
})

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
})

describe('a login right after the start', () => {
  it('is never taken for a refusal', async () => {
    const { page } = await openPlain(await story.openBrowser())
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
  it('ends without a fault, and does nothing any more', async () => {
    const context = await story.openBrowser()
    const { page, faults } = await openPlain(context)
    await page.evaluate(async (given) => {
      window.peyk = new window.Peyk(given)
      await window.peyk.register()
    }, options)
    await connected(page)
    let asked = 0
    await page.route(`${story.baseUrl}/api/**`, async (route) => {
      asked++
      await route.abort()
    })
    await page.evaluate(async () => {
      await window.peyk.track('Left')
      window.peyk.close()
    })
    // With keepalive and, when that fails, once more without.
    await poll(() => asked).toBeGreaterThan(1)
    await new Promise((resolve) => setTimeout(resolve, 500))
    const askedUntilThen = asked
    await page.evaluate(() => {
      for (const event of ['online', 'visibilitychange']) {
        window.dispatchEvent(new Event(event))
        document.dispatchEvent(new Event(event))
      }
      return window.peyk.track('Later')
    })
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(faults).toEqual([])
    expect(asked).toBe(askedUntilThen)
    expect(await page.evaluate(() => window.peyk.connection.state)).toBe('stopped')
  })

  it('leaves the other tabs their connection', async () => {
    const context = await story.openBrowser()
    const leading = await story.openTab(context)
    await connected(leading)
    const other = await story.openTab(context)
    await connected(other)
    await other.evaluate(() => window.peyk.close())
    await leading.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)))
    expect(await leading.evaluate(() => window.heard.states.at(-1))).toBe('connected')
    const next = await story.openTab(context)
    await connected(next)
    await leading.evaluate(() => window.peyk.close())
    await poll(() => next.evaluate(() => window.heard.states)).toEqual(['connected', 'connecting', 'connected'])
  })
})
