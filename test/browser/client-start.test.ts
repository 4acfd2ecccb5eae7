import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { isThorough } from '../helpers/runner/effort.ts'
import { connected, openStory, poll } from './story.ts'

const story = await openStory()
const options = { appId: 'demo', clientKey: story.clientKey, baseUrl: story.baseUrl }

/** A page of the shop on which nothing has been started. */
async function openPlain(context: BrowserContext): Promise<{ page: Page; faults: string[] }> {
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  await page.goto(story.origin)
  return { page, faults }
}

describe('a later visit', () => {
  it.runIf(isThorough)('knows the installation at once, though the service does not answer', async () => {
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

describe('a page that takes part no more', () => {
  it('ends without a fault, and does nothing any more', async () => {
    const context = await story.openBrowser()
    await context.clock.install()
    const { page, faults } = await openPlain(context)
    await page.evaluate(async (given) => {
      window.peyk = new window.Peyk(given)
      await window.peyk.register()
    }, options)
    await connected(page)
    const asked: string[] = []
    await page.route(`${story.baseUrl}/api/**`, async (route) => {
      asked.push(new URL(route.request().url()).pathname)
      await route.abort()
    })
    /** Asks for itself, after everything that is on its way: the queue is sent under a lock, which is ours then. */
    const askLast = () =>
      page.evaluate(async (baseUrl) => {
        await navigator.locks.request('peyk:demo:queue', () => fetch(`${baseUrl}/api/last`).catch(() => undefined))
      }, story.baseUrl)
    await page.evaluate(async () => {
      await window.peyk.track('Left')
      window.peyk.close()
    })
    // With keepalive and, when that fails, once more without.
    await poll(() => asked.length).toBeGreaterThan(1)
    await askLast()
    expect(asked.at(-1)).toBe('/api/last')
    asked.length = 0
    await page.evaluate(() => {
      for (const event of ['online', 'visibilitychange']) {
        window.dispatchEvent(new Event(event))
        document.dispatchEvent(new Event(event))
      }
      return window.peyk.track('Later')
    })
    await page.clock.runFor('10:00')
    await askLast()
    expect(faults).toEqual([])
    expect(asked).toEqual(['/api/last'])
    expect(await page.evaluate(() => window.peyk.connection.state)).toBe('stopped')
  })
})
