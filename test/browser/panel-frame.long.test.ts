import type { Page } from 'playwright-core'
import { afterEach, expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'
import { story } from '../helpers/runner/story.ts'

const panel = await openPanel({ isShared: false })
const page = await panel.open()
const dialog = page.getByRole('dialog')
const lost = page.getByRole('alert').filter({ hasText: 'this page retries automatically' })
const dryRun = page.getByRole('button', { name: /^Check (recipients|again)/ })
const focused = (shown: Page = page) => shown.evaluate(() => document.activeElement?.getAttribute('aria-label'))

afterEach(() => page.context().setOffline(false))

async function compose(content: string): Promise<void> {
  await panel.visit(page, '/send')
  await page.locator('[data-field="users"]').fill('user-1')
  await page.locator('[data-field="content"]').fill(content)
}

/** The rules of a style sheet that did not come, or has not yet, cannot be read. */
function findFailedStyles(): string[] {
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  return links.flatMap(({ sheet, href }) => {
    try {
      return sheet?.cssRules.length ? [] : [href]
    } catch {
      return [href]
    }
  })
}

story('the frame of the panel', () => {
  test('what is given up without a line never happens later; a banner in sight says so, and a page comes when it can', async () => {
    await compose('Never sent')
    await dryRun.click()
    await page.getByRole('button', { name: /^Send to .+…$/ }).click()
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/send')) sent.push(request.url())
    })
    await page.context().setOffline(true)
    await lost.waitFor()
    await dialog.getByRole('button', { name: /^Send to .+ now$/ }).click()
    await dialog.getByRole('alert').waitFor()
    expect(sent).toHaveLength(1)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })

    await dryRun.click()
    await page.getByRole('alert').filter({ hasText: 'That did not work' }).waitFor()
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    const top = async () => (await lost.boundingBox())?.y ?? -1
    await poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
    await poll(top).toBeGreaterThan(50)
    await poll(top).toBeLessThan(200)

    await page.getByRole('link', { name: 'Phones' }).click()
    await page.waitForURL('**/phones')
    expect(await page.locator('[data-field="content"]').inputValue()).toBe('Never sent')
    await page.context().setOffline(false)
    await page.getByRole('region', { name: 'iPhone, user-1' }).waitFor()
    await poll(() => page.evaluate(findFailedStyles)).toEqual([])
    await lost.waitFor({ state: 'hidden' })
    expect(sent).toHaveLength(1)
    const { body } = await panel.call('GET', '/api/messages?limit=5')
    expect(body.data.map((message: { content: string }) => message.content)).not.toContain('Never sent')
  })

  test('the focus returns to the button of a menu from what its items opened', async () => {
    await panel.visit(page, '/users/user-1')
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await poll(() => focused()).toBe('More')

    await page.getByRole('button', { name: 'Account' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Change password' }).press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await poll(() => focused()).toBe('Account')
  })

  test('shortcuts work with a Persian keyboard, and Escape closes the menu of a narrow page', async () => {
    await panel.visit(page, '/overview')
    /** Two letters belong together only when they follow each other quickly. */
    const press = (...keys: { key: string; code: string }[]) =>
      page.evaluate((all) => {
        for (const init of all) document.body.dispatchEvent(new KeyboardEvent('keydown', { ...init, bubbles: true }))
      }, keys)
    await press({ key: 'ل', code: 'KeyG' }, { key: 'ئ', code: 'KeyM' })
    await page.waitForURL('**/messages')
    await press({ key: '؟', code: 'Slash' })
    await dialog.getByText('Keyboard shortcuts').waitFor()
    await page.keyboard.press('Escape')

    const narrow = await panel.open({ width: 390 })
    const menu = narrow.getByRole('button', { name: 'Menu' })
    const pages = narrow.getByRole('navigation', { name: 'Menu' })
    expect(await pages.count()).toBe(0)
    await menu.click()
    await pages.waitFor()
    await narrow.getByRole('link', { name: 'Messages' }).focus()
    await narrow.keyboard.press('Escape')
    await poll(() => menu.getAttribute('aria-expanded')).toBe('false')
    await poll(() => focused(narrow)).toBe('Menu')
  })

  test('settings ask before changes are dropped, and signing out leaves no draft', async () => {
    await panel.visit(page, '/settings/app')
    const name = page.getByLabel('Name', { exact: true })
    await name.fill('Another name')
    await page.getByRole('link', { name: 'Messages' }).click()
    await dialog.getByText('Leave without saving?').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(await name.inputValue()).toBe('Another name')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved', { exact: false }).first().waitFor()
    await page.getByRole('link', { name: 'Messages' }).click()
    await page.waitForURL('**/messages')

    await compose('A secret draft')
    const kept = () => page.evaluate(() => JSON.stringify({ ...localStorage }))
    await poll(kept).toContain('A secret draft')
    await page.getByRole('button', { name: 'Account' }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await page.locator('input[name=email]').waitFor()
    expect(await kept()).not.toContain('A secret draft')
    expect(panel.faults).toEqual([])
  })
})
