import { expect, it } from 'vitest'
import { findWorker } from '../helpers/browser.ts'
import { openStory, poll, touch } from './story.ts'

const story = await openStory()

it('registers the browser, shows what is sent to it, and moves the counts of the message', async () => {
  const context = await story.openBrowser()
  await context.grantPermissions(['notifications'], { origin: story.baseUrl })
  const page = await context.newPage()
  const refused: string[] = []
  page.on('console', (message) => message.type() === 'error' && refused.push(message.text()))
  await page.goto(`${story.baseUrl}/try`)
  await page.waitForSelector('#connection[data-state=connected]')

  await page.fill('#login [name=userId]', 'newcomer')
  await page.click('#login button[type=submit]')
  await poll(() => page.textContent('#user')).toBe('newcomer')
  await page.click('#enable')
  await poll(() => page.textContent('#log')).toContain('allow notifications: enabled')
  await page.waitForSelector('#connection[data-state=connected]')

  const { id } = await story.send('toUsers', { user: 'newcomer', content: 'From a terminal' })
  await poll(() => page.textContent('#inbox')).toContain('From a terminal')
  await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1, opened: 0 })
  await touch(await findWorker(context, story.baseUrl), { tag: id, kind: 'notificationclick' })
  await poll(() => story.statesOf(id)).toMatchObject({ delivered: 1, shown: 1, opened: 1 })
  await poll(() => page.textContent('#log')).toContain('notification opened')

  await page.fill('#send [name=content]', 'From the page')
  await page.click('#send button')
  await poll(() => page.textContent('#inbox')).toContain('From the page')
  await page.click('#inbox li:first-child button')
  await poll(() => page.locator('#inbox li.unread').count()).toBe(1)

  for (const act of ['track', 'purchase', 'tag', 'attribute', 'channel']) {
    const button = page.locator(`[data-do=${act}]`)
    await button.click()
    await poll(() => page.textContent('#log')).toContain(`${await button.textContent()}: done`)
  }
  expect(refused).toEqual([])
})
