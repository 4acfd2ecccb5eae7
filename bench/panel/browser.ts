import { findChromium } from '@peyk/test/programs/chromium.ts'
import { type BrowserContext, chromium } from 'playwright-core'

/** A browser in which a member is signed in; undefined where there is no Chromium. */
export async function withBrowser<Result>(
  { url, cookie }: { url: string; cookie: string },
  work: (context: BrowserContext) => Promise<Result>,
): Promise<Result | undefined> {
  const executablePath = findChromium()
  if (executablePath === undefined) return undefined
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  try {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
    const [name, value] = cookie.split('=') as [string, string]
    await context.addCookies([{ name, value, url }])
    return await work(context)
  } finally {
    await browser.close()
  }
}
