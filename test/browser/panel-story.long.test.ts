import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'
import { caller } from '../helpers/service/test-server.ts'

const panel = await openPanel()
const peyk = join(import.meta.dirname, '../../server/bin/peyk.js')

async function makeLink(): Promise<string> {
  const { demo, service } = panel
  const words = [peyk, 'member', 'link', '--email', demo.panelEmail, '--url', demo.baseUrl, '--json']
  const env = { ...process.env, PEYK_DATA: service.dataFolder }
  const { stdout } = await promisify(execFile)(process.execPath, words, { env })
  return (JSON.parse(stdout) as { link: string }).link
}

/** Sends what stands on the send page; the id of the message it became. */
async function send(page: Page): Promise<string> {
  await page.getByRole('button', { name: /^Send to .+…$/ }).click()
  await page.getByRole('button', { name: /^Send to .+ now$/ }).click()
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  return page.url().split('/').at(-1) as string
}

const openedStep = (page: Page) => page.locator('[data-step=opened]')

test('a newcomer signs in by the link, sends to a segment, taps a phone, gives out codes and revokes a token', async () => {
  const page = await panel.openSignedOut()
  const link = await makeLink()
  await page.goto(link)
  await page.waitForURL('**/panel/demo/overview')
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await page.goto(link.replace('/enter', '/enter?again'))
  await page.getByText('This link was already used').waitFor()

  await panel.visit(page, '/segments/new')
  await page.getByRole('combobox', { name: 'What' }).click()
  await page.getByRole('option', { name: 'User id' }).click()
  await page.getByRole('combobox', { name: 'Value' }).fill('user-1')
  await poll(() => page.getByTestId('segment-count').textContent()).toMatch(/^[4-9]$/)
  await page.getByLabel('Name').fill('The first user')
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.waitForURL(/\/segments\/[0-9a-f-]{36}$/)

  await page.getByRole('link', { name: 'Send to this segment' }).click()
  await page.waitForURL(/\/send/)
  await page.locator('[data-field="notification.title"]').fill('Weekend sale')
  await page.locator('[data-field="content"]').fill('Everything for half the price')
  const id = await send(page)

  await panel.visit(page, '/phones')
  const iphone = page.getByRole('region', { name: 'iPhone, user-1' })
  await iphone.getByText('Weekend sale').click()
  await poll(() => iphone.getByText('Weekend sale').count()).toBe(0)
  await panel.visit(page, `/messages/${id}`)
  await openedStep(page).getByText('1', { exact: true }).waitFor()

  await panel.visit(page, '/campaigns')
  await page.getByRole('button', { name: 'New campaign' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Gifts')
  await page.getByRole('button', { name: 'Create campaign' }).click()
  await page.waitForURL('**/campaigns/gifts')
  const codes = { name: 'codes.csv', mimeType: 'text/csv', buffer: Buffer.from('GIFT-1\nGIFT-2\n') }
  await page.setInputFiles('input[type=file]', codes)
  await page.getByRole('button', { name: 'Add 2 codes' }).click()
  await page.getByText('2 new codes are ready to use').waitFor()

  await panel.visit(page, '/send?user=user-1')
  await page.locator('[data-field="content"]').fill('Take this: {{ promoCode }}')
  await page.locator('[data-field="trackId"]').fill('gifts')
  await page.keyboard.press('Escape')
  await send(page)
  await panel.visit(page, '/phones')
  await page.getByRole('region', { name: 'Android, user-1' }).getByText('Take this: GIFT-1').waitFor()
  await panel.visit(page, '/promo')
  await page.getByRole('textbox', { name: 'Code' }).fill('GIFT-1')
  await page.getByRole('button', { name: 'Look up' }).click()
  await page.getByRole('link', { name: 'user-1' }).waitFor()

  await panel.visit(page, '/settings/tokens')
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'New token' }).click()
  await dialog.getByLabel('Name').fill('A back end')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const call = caller(panel.demo.baseUrl, (await dialog.locator('[data-secret]').textContent()) as string)
  expect((await call('GET', '/api/app')).status).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByLabel('Revoke: A back end').click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('“A back end” revoked.').waitFor()
  await poll(async () => (await call('GET', '/api/app')).status).toBe(401)
  expect(panel.faults).toEqual([])
})
