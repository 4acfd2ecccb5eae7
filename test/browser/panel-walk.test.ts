import { statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { findBarriers, openPanel, type PanelLook, waitForAll } from '../helpers/panel.ts'
import { plantCanaries } from './panel-canaries.ts'

const panel = await openPanel()
const lists = [
  '/overview',
  '/send',
  '/messages',
  '/campaigns',
  '/segments',
  '/segments/new',
  '/users',
  '/events',
  '/channels',
  '/promo',
  '/uninstalls',
  '/phones',
]
const settings = ['app', 'tokens', 'keys', 'identity', 'providers', 'sms', 'webhooks', 'retention', 'members', 'audit']
const details = await plantCanaries(panel)
const everyPage = [...lists, ...details, ...settings.map((tab) => `/settings/${tab}`)]

const looks: Required<PanelLook>[] = [
  { language: 'en', scheme: 'light', width: 1280 },
  { language: 'fa', scheme: 'dark', width: 390 },
]

it.each(looks)('shows every page as text and without barriers, %o', { timeout: 600_000 }, async (look) => {
  const page = await panel.open(look)
  const barriers: string[] = []
  const wide: string[] = []
  for (const path of everyPage) {
    await panel.visit(page, path)
    await waitForAll(page)
    barriers.push(...(await findBarriers(page)).map((barrier) => `${path} ${barrier}`))
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (overflow > 1) wide.push(`${path} by ${overflow} px`)
    expect(await page.evaluate(() => [window.hacked, window.refusedByPolicy]), path).toEqual([undefined, []])
  }
  await page.locator('header [aria-haspopup=menu]').last().click()
  await page.getByRole('menuitem').first().waitFor()
  barriers.push(...(await findBarriers(page)).map((barrier) => `the account menu ${barrier}`))
  await page.getByRole('menuitem').first().click()
  await page.getByRole('dialog').locator('input').first().waitFor()
  barriers.push(...(await findBarriers(page)).map((barrier) => `a dialog ${barrier}`))
  expect(barriers).toEqual([])
  expect(wide).toEqual([])
  expect(panel.faults).toEqual([])
})

it.each(['en', 'fa'] as const)('loads at most 300 kB, zipped, for its first page: %s', async (language) => {
  const page = await panel.open({ language })
  await page.reload()
  await waitForAll(page)
  const loaded = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name))
  const names = loaded.flatMap((address) => address.split('/panel/assets/')[1] ?? [])
  const sizes = names.map((name) => statSync(new URL(`../../panel/dist/assets/${name}.gz`, import.meta.url)).size)
  const bytes = sizes.reduce((sum, size) => sum + size, 0)
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(300_000)
})

it('shows what is opened on demand as text too', async () => {
  const page = await panel.open()
  await panel.visit(page, '/settings/webhooks')
  await page.getByRole('button', { name: 'Log', exact: true }).click()
  await page.getByRole('table', { name: 'Log' }).getByRole('row').nth(1).waitFor()
  await page.getByLabel('Account').click()
  await page.getByText('Where you are signed in').click()
  await page.getByRole('dialog').getByText('onerror').waitFor()
  expect(await page.evaluate(() => [window.hacked, window.refusedByPolicy])).toEqual([undefined, []])
  expect(panel.faults).toEqual([])
})
