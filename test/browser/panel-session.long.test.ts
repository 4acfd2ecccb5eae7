import { expect, test } from 'vitest'
import { openPanel } from '../helpers/panel.ts'

const panel = await openPanel()
const page = await panel.open()
const dialog = page.getByRole('dialog')
const dryRun = page.getByRole('button', { name: /^Check (recipients|again)/ })

async function signIn(): Promise<void> {
  await dialog.getByLabel('Email').fill(panel.demo.panelEmail)
  await dialog.getByLabel('Password', { exact: true }).fill(panel.demo.panelPassword)
  await dialog.getByRole('button', { name: 'Sign in' }).click()
  await dialog.waitFor({ state: 'hidden' })
}

test('a session that ends during an action is begun again over the page', async () => {
  await panel.visit(page, '/send')
  await page.locator('[data-field="users"]').fill('user-1')
  await page.locator('[data-field="content"]').fill('Still here')
  await page.context().clearCookies()
  // Where the page asked for something by itself meanwhile, the dialog is over the button already.
  await dryRun.dispatchEvent('click')
  await dialog.getByText('Your session has ended').waitFor()
  await signIn()
  await dryRun.click()
  await page.locator('[data-planned]').waitFor()

  await panel.call('POST', '/api/campaigns', { trackId: 'spring', name: 'Spring' })
  await panel.visit(page, '/campaigns/spring')
  await page.locator('input[type=file]').waitFor({ state: 'attached' })
  await page.context().clearCookies()
  const file = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from('SPRING-1\n') }
  await page.setInputFiles('input[type=file]', file)
  const add = page.getByRole('region', { name: 'Preview of codes.csv' }).locator('button', { hasText: /^Add/ })
  await add.dispatchEvent('click')
  await dialog.getByText('Your session has ended').waitFor()
  await signIn()
  expect(await page.getByRole('heading', { name: 'Spring' }).count()).toBe(1)
  await add.click()
  await page.getByText('One new code is ready to use').waitFor()
  expect(panel.faults).toEqual([])
})
