import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

/** Adds a tag to a user and removes it: what was done is said, with a button that takes it back. */
async function removeTag(page: Page, tag: string): Promise<void> {
  await panel.call('POST', '/api/installations/addTags', { userId: 'user-17', tags: [tag] })
  await panel.visit(page, '/users/user-17')
  await page.getByRole('button', { name: `Remove the tag ${tag}` }).click()
  await page.getByRole('button', { name: 'Undo' }).waitFor()
}

/** In the page: what can be pressed and lies under a toast. */
function findCovered(): string[] {
  const toast = document.querySelector('.mantine-Notification-root') as Element
  const over = toast.getBoundingClientRect()
  const pressed = [...document.querySelectorAll('header button, header a, #content button, #content a')]
  return pressed
    .filter((element) => {
      const { top, bottom, left, right, width } = element.getBoundingClientRect()
      return width > 0 && top < over.bottom && bottom > over.top && left < over.right && right > over.left
    })
    .map((element) => element.textContent ?? '')
}

test('a toast covers nothing that can be pressed, and goes with its page', async () => {
  const page = await panel.open()
  await removeTag(page, 'toast-wide')
  // Under the pointer it stays as long as its page.
  await page.locator('.mantine-Notification-root').hover()
  await poll(() => page.evaluate(findCovered)).toEqual([])
  await panel.visit(page, '/users')
  await poll(() => page.locator('.mantine-Notification-root').count()).toBe(0)
  expect(panel.faults).toEqual([])
})

test('on a narrow screen the end of a page can be scrolled clear of a toast', async () => {
  const page = await panel.open({ width: 390 })
  await removeTag(page, 'toast-narrow')
  await page.locator('.mantine-Notification-root').hover()
  await poll(async () => {
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    return page.evaluate(findCovered)
  }).toEqual([])
})
