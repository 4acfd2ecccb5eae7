import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { type Percentiles, percentilesOf } from '../connections/percentiles.ts'
import { withBrowser } from './browser.ts'

const areas = ['overview', 'messages', 'campaigns', 'segments', 'users', 'events', 'channels', 'promo', 'uninstalls']
const quietMs = 400
const patienceMs = 20_000

export interface Drawn extends Percentiles {
  area: string
}

/**
 * How long a page takes to show what it was answered: from the last byte of the last answer to the frame after the last
 * change of the page. Each page several times, reached by its link in the menu.
 */
export function measureDrawing(url: string, cookie: string, times: number): Promise<Drawn[] | undefined> {
  return withBrowser({ url, cookie }, async (context) => {
    const page = await context.newPage()
    await page.addInitScript({ content: watch })
    const found = areas.map((area) => ({ area, ms: [] as number[] }))
    // The first time round the pages' own files are loaded, which is not counted.
    for (let time = 0; time <= times; time++) {
      // A new start: nothing that was answered is remembered.
      await page.goto(`${url}/panel/bench/settings`)
      await page.waitForSelector('h1')
      for (const { area, ms } of found) {
        const drawnMs = await open(page, area)
        if (time > 0 && drawnMs !== undefined) ms.push(drawnMs)
      }
    }
    return found.map(({ area, ms }) => ({ area, ...percentilesOf(ms) }))
  })
}

/** Runs in the page: when the last answer was there, and when the last change was drawn. */
const watch = `
  globalThis.watched = { answeredAt: 0, drawnAt: 0 }
  new PerformanceObserver((list) => {
    for (const { name, responseEnd } of list.getEntries()) {
      if (name.includes('/panel/api/')) watched.answeredAt = responseEnd
    }
  }).observe({ type: 'resource' })
  new MutationObserver(() => requestAnimationFrame(() => (watched.drawnAt = performance.now())))
    .observe(document, { childList: true, subtree: true, characterData: true, attributes: true })`

/** Undefined when nothing was asked: the page had it all. */
async function open(page: Page, area: string): Promise<number | undefined> {
  await page.evaluate('watched = { answeredAt: 0, drawnAt: 0 }')
  await page.click(`nav a[href$="/${area}"]`)
  const patienceUntil = performance.now() + patienceMs
  for (;;) {
    const look = '({ ...watched, now: performance.now() })'
    const { answeredAt, drawnAt, now } = await page.evaluate<Record<'answeredAt' | 'drawnAt' | 'now', number>>(look)
    const isQuiet = drawnAt > 0 && now - Math.max(answeredAt, drawnAt) > quietMs
    if (isQuiet || performance.now() > patienceUntil) {
      return answeredAt > 0 ? Math.max(0, drawnAt - answeredAt) : undefined
    }
    await sleep(50)
  }
}
