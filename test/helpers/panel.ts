import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { openWindow } from './browser.ts'
import { startDemo } from './demo.ts'
import { caller } from './test-server.ts'

declare global {
  interface Window {
    axe: typeof axe
    refusedByPolicy: string[]
    hacked: unknown
  }
}

export interface PanelLook {
  language?: 'en' | 'fa'
  scheme?: 'light' | 'dark'
  width?: number
}

/** The service as `npm start` runs it, and browsers at its panel. Call it at the top of a file. */
export async function openPanel() {
  const service = await startDemo()
  const demo = await service.readDemo()
  const call = caller(demo.baseUrl, demo.accessToken)
  const simulator = caller(demo.simulatorUrl, '')
  /** Pages of the panel write here what must never happen: scripts that failed, and what the policy refused. */
  const faults: string[] = []

  /** A browser of its own, at the sign-in page. */
  const openSignedOut = async ({ language = 'en', scheme = 'light', width = 1280 }: PanelLook = {}): Promise<Page> => {
    const context = await openWindow()
    await context.addInitScript(
      ([spoken, colours]) => {
        localStorage.setItem('peyk-language', spoken as string)
        localStorage.setItem('mantine-color-scheme-value', colours as string)
        window.refusedByPolicy = []
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          window.refusedByPolicy.push(`${violatedDirective} ${blockedURI}`),
        )
      },
      [language, scheme],
    )
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      if (/Content Security Policy/i.test(message.text())) faults.push(message.text())
    })
    await page.setViewportSize({ width, height: 900 })
    await page.goto(`${demo.baseUrl}/panel/`)
    return page
  }

  return {
    service,
    demo,
    call,
    simulator,
    faults,
    openSignedOut,
    /** A browser of its own, signed in as the demo's admin, at the overview. */
    open: async (look?: PanelLook): Promise<Page> => {
      const page = await openSignedOut(look)
      await page.fill('input[name=email]', demo.panelEmail)
      await page.fill('input[name=password]', demo.panelPassword)
      await page.click('button[type=submit]')
      await page.waitForURL('**/panel/demo/overview')
      return page
    },
    /** Goes to a page of the demo app and waits for its title. */
    visit: async (page: Page, path: string): Promise<void> => {
      await page.goto(`${demo.baseUrl}/panel/demo${path}`)
      await page.waitForSelector('h1')
    },
  }
}

/** What axe finds serious on a page as it stands, when nothing fades in or out any more: half-way, colours are others. */
export async function findBarriers(page: Page): Promise<string[]> {
  await poll(() => page.evaluate(countTransitions)).toBe(0)
  await page.evaluate(axe.source)
  const { violations } = await page.evaluate(() =>
    window.axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'],
      resultTypes: ['violations'],
      preload: false,
    }),
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`,
    )
}

function countTransitions(): number {
  return document.getAnimations().filter((each) => each instanceof CSSTransition && each.playState === 'running').length
}

/** Waits until everything is there, also what is asked for only when it comes into sight. */
export async function waitForAll(page: Page): Promise<void> {
  await page.waitForSelector('h1')
  await poll(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    return page.locator('.mantine-Skeleton-root').count()
  }).toBe(0)
}

/** Waits for the condition, whatever time it takes within reason. */
export const poll = <T>(read: () => T) => expect.poll(read, { interval: 100 })
