import axe from 'axe-core'
import type { Cookie, Page, Response } from 'playwright-core'
import { closeWindowsAfterAll, openWindow } from './browser.ts'
import { poll } from './runner/poll.ts'
import { checkAnswer } from './service/check-answer.ts'
import { shareDemo, startDemo } from './service/demo.ts'
import { caller } from './service/test-server.ts'

declare global {
  interface Window {
    axe: typeof axe
    __TSR_ROUTER__: {
      navigate(to: { href: string; ignoreBlocker: boolean }): Promise<void>
      state: { status: 'pending' | 'idle'; resolvedLocation?: { href: string } }
      latestLocation: { href: string }
    }
    refusedByPolicy: string[]
    hacked: unknown
  }
}

export interface PanelLook {
  language?: 'en' | 'fa'
  scheme?: 'light' | 'dark'
  width?: number
  /** Whether what opens and closes fades in and out. */
  isMoving?: boolean
}

/** Of the admin, by service. */
const sessions = new Map<string, Cookie[]>()

/** The service as `npm start` runs it, and browsers at its panel. Call it at the top of a file. */
export async function openPanel({ isShared = true } = {}) {
  closeWindowsAfterAll()
  const service = await (isShared ? shareDemo() : startDemo())
  const demo = await service.readDemo()
  const call = caller(demo.baseUrl, demo.accessToken)
  const simulator = caller(demo.simulatorUrl, '')
  /** What must never happen: scripts that failed, what the policy refused, and answers that the contract does not know. */
  const faults: string[] = []

  const openAt = async (path: string, look: PanelLook, cookies: Cookie[]): Promise<Page> => {
    const { language = 'en', scheme = 'light', width = 1280, isMoving = false } = look
    const context = await openWindow({
      viewport: { width, height: 900 },
      reducedMotion: isMoving ? 'no-preference' : 'reduce',
    })
    await context.addCookies(cookies)
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
    page.on('response', (response) => void checkResponse(response).catch((error) => faults.push(String(error))))
    await page.goto(`${demo.baseUrl}/panel/${path}`)
    return page
  }
  /** A browser of its own, at the sign-in page. */
  const openSignedOut = (look: PanelLook = {}): Promise<Page> => openAt('', look, [])

  return {
    service,
    demo,
    call,
    simulator,
    faults,
    openSignedOut,
    /** A browser of its own, signed in as the demo's admin, at the overview: by the form, or as one was before. */
    open: async (look: PanelLook = {}): Promise<Page> => {
      const known = sessions.get(demo.baseUrl)
      if (known) return openAt('demo/overview', look, known)
      const page = await openSignedOut(look)
      await page.fill('input[name=email]', demo.panelEmail)
      await page.fill('input[name=password]', demo.panelPassword)
      await page.click('button[type=submit]')
      await page.waitForURL('**/panel/demo/overview')
      sessions.set(demo.baseUrl, await page.context().cookies())
      return page
    },
    /** Goes to a page of the demo app as a link in the panel does, and waits until that page stands there. */
    visit: async (page: Page, path: string): Promise<void> => {
      if (page.url().startsWith(`${demo.baseUrl}/panel/demo/`)) await page.evaluate(navigate, `/panel/demo${path}`)
      else await page.goto(`${demo.baseUrl}/panel/demo${path}`)
      await page.waitForSelector('h1')
    },
    /** The same by its address, which loads the panel anew. */
    load: async (page: Page, path: string): Promise<void> => {
      await page.goto(`${demo.baseUrl}/panel/demo${path}`)
      await page.waitForSelector('h1')
    },
  }
}

async function checkResponse(response: Response): Promise<void> {
  const { pathname } = new URL(response.url())
  const isJson = response.headers()['content-type']?.startsWith('application/json')
  if (response.status() !== 200 || !pathname.startsWith('/panel/api/') || !isJson) return
  // Who has gone on to another page cannot be asked any more.
  const text = await response.text().catch(() => undefined)
  if (text !== undefined) checkAnswer(response.request().method(), pathname, JSON.parse(text))
}

/**
 * In the page. The panel's router is where its library leaves it; it has gone when it has drawn what it went to. The
 * promise of the router is not waited for: Chromium once collected it unsettled.
 */
function navigate(href: string): Promise<void> {
  const { __TSR_ROUTER__: router } = window
  void router.navigate({ href, ignoreBlocker: true })
  return new Promise((resolve) => {
    const looking = setInterval(() => {
      const { status, resolvedLocation } = router.state
      if (status !== 'idle' || resolvedLocation?.href !== router.latestLocation.href) return
      clearInterval(looking)
      resolve()
    }, 10)
  })
}

export const chosenPassword = 'chosen by an invitee'

/** As who was invited does when they open the link. */
export async function choosePassword(page: Page): Promise<void> {
  await page.fill('input[autocomplete=new-password]', chosenPassword)
  await page.click('button[type=submit]')
}

/** What axe finds serious on a page as it stands, when nothing fades in or out any more: half-way, colours are others. */
export async function findBarriers(page: Page, leftOut: string[] = []): Promise<string[]> {
  await poll(() => page.evaluate(countTransitions)).toBe(0)
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    (exclude) =>
      window.axe.run(
        { include: ['html'], exclude },
        {
          runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
          resultTypes: ['violations'],
          preload: false,
        },
      ),
    leftOut,
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

export { poll }
