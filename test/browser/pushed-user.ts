import type { BrowserContext, Page } from 'playwright-core'
import { connected, type openStory } from './story.ts'

/** A tab of a user, in a browser that may be pushed to. */
export async function openUser(
  story: Awaited<ReturnType<typeof openStory>>,
  userId: string,
  context: BrowserContext,
): Promise<Page> {
  const page = await story.openTab(context)
  await page.evaluate((user) => window.peyk.login(user), userId)
  await page.evaluate(() => window.peyk.enableWebPush())
  await connected(page)
  return page
}
