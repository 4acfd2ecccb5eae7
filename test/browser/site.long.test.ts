import { beforeAll, expect, it } from 'vitest'
import { closeWindowsAfterAll, openWindow } from '../helpers/browser.ts'
import { findBarriers } from '../helpers/panel.ts'
import { createTestServer } from '../helpers/service/test-server.ts'

closeWindowsAfterAll()
const { baseUrl, token } = await createTestServer()

beforeAll(async () => {
  const { buildSite } = await import(new URL('../../site/build.js', import.meta.url).href)
  await buildSite()
})

/** A page, and what it did that it must not: foreign requests, failed ones, errors, what its policy kept from it. */
async function open(path: string, options: { width?: number; colorScheme?: 'light' | 'dark' } = {}) {
  const { width = 1280, colorScheme = 'light' } = options
  const context = await openWindow({ viewport: { width, height: 900 }, colorScheme })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text())
  })
  page.on('pageerror', (error) => faults.push(String(error)))
  page.on('requestfailed', (request) => faults.push(`failed: ${request.url()}`))
  page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(baseUrl)) faults.push(request.url())
  })
  await page.goto(baseUrl + path)
  return { page, faults }
}

it('shows the API reference, finds an operation by its address, and tries it with a token', async () => {
  const { page, faults } = await open('/docs/#tag/segments/countSegment')
  await page.getByRole('heading', { name: 'Count a segment' }).first().waitFor()
  await page
    .getByLabel(/^Value/)
    .first()
    .fill(token)
  const section = page.locator('section[id$="/countSegment"]')
  await section.getByRole('button', { name: /Test Request/ }).click()
  const answered = page.waitForResponse((response) => response.url().includes('/api/segments/count'))
  await page.getByRole('button', { name: /^Send/ }).first().click()
  expect((await answered).status()).toBe(200)
  expect(faults).toEqual([])
})

it('shows the API reference in the dark, as the guide and the panel', async () => {
  const { page, faults } = await open('/docs/', { colorScheme: 'dark' })
  await page.locator('body.dark-mode').waitFor()
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  expect(faults).toEqual([])
})

it('shows the guide, in which everything is found', async () => {
  const { page, faults } = await open('/guide/')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('/')
  await page.getByRole('combobox').fill('idempotency')
  await page.getByRole('option').first().waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/guide\/[a-z-]+\//)
  expect((await page.textContent('main'))?.toLowerCase()).toContain('idempotency')
  await page.click('#theme')
  expect(await page.evaluate(() => document.documentElement.dataset.theme)).toBe('dark')
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
})

it.each(['light', 'dark'] as const)('shows the guide on a phone, %s', async (colorScheme) => {
  const { page, faults } = await open('/guide/errors/#no-token', { width: 390, colorScheme })
  const widths = () => page.evaluate(() => [document.documentElement.scrollWidth, innerWidth])
  expect(await widths()).toEqual([390, 390])
  expect(await findBarriers(page)).toEqual([])
  await page.click('#menu')
  await page.click('#navigation a[href="../operations/"]')
  await page.waitForURL('**/guide/operations/')
  expect(await widths()).toEqual([390, 390])
  expect(await findBarriers(page)).toEqual([])
  expect(faults).toEqual([])
})
