import type { BrowserContext, Page } from 'playwright-core'
import { beforeEach, describe, expect, it } from 'vitest'
import { connected, openStory, poll } from './story.ts'
import { numbered, readNames, trackAll } from './tracked.ts'

const story = await openStory()

let context: BrowserContext
let page: Page
let users = 0
let userId: string

beforeEach(async () => {
  context = await story.openBrowser()
  page = await story.openTab(context)
  userId = `queue-${++users}`
  await page.evaluate((user) => window.peyk.login(user), userId)
  await connected(page)
})

describe('a long queue', () => {
  it('of texts with many bytes goes out, and the user can be changed after it', async () => {
    const names = numbered(40)
    await context.setOffline(true)
    await trackAll(page, names, 'س'.repeat(1_000))
    await context.setOffline(false)
    await poll(() => readNames(story, userId)).toEqual(names)
    await context.setOffline(true)
    await trackAll(page, ['Last'], 'س'.repeat(40_000))
    await context.setOffline(false)
    await page.evaluate(() => window.peyk.login('another'))
    expect(await readNames(story, userId)).toEqual([...names, 'Last'])
  })
})

describe('an event that is no JSON', () => {
  it('is not taken, and holds up neither the others nor a login', async () => {
    const codes = await page.evaluate(async () => {
      const itself: Record<string, unknown> = {}
      itself.itself = itself
      const bad = [{ value: 10n }, itself] as unknown as Record<string, string>[]
      const tried = bad.map((data) => window.peyk.track('Bad', data).catch((error) => error.code))
      await window.peyk.track('Good')
      return Promise.all(tried)
    })
    expect(codes).toEqual(['invalid-request', 'invalid-request'])
    await page.evaluate(() => window.peyk.login('after-bad'))
    expect(await readNames(story, userId)).toEqual(['Good'])
  })
})
