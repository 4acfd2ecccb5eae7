import { expect, it } from 'vitest'
import { openPanel } from '../helpers/panel.ts'
import { countBytes } from './first-page.ts'
import { plantEverywhere, walk } from './panel-walk.ts'

const panel = await openPanel({ isShared: false })
const paths = await plantEverywhere(panel)

it('shows every page by its address, as text and without barriers', async () => {
  const page = await panel.open({ language: 'en', scheme: 'light', width: 1280, isMoving: true })
  expect(await walk(panel, page, { paths, go: panel.load, isBrief: true })).toEqual([])
})

it('shows every page that is come to by a link, in Persian, dark and narrow', async () => {
  const walkAlong = async (own: string[]) => {
    const page = await panel.open({ language: 'fa', scheme: 'dark', width: 390 })
    return walk(panel, page, { paths: own, go: panel.visit, isBrief: true })
  }
  const isEven = (_path: string, index: number) => index % 2 === 0
  const isOdd = (_path: string, index: number) => index % 2 === 1
  expect(await Promise.all([walkAlong(paths.filter(isEven)), walkAlong(paths.filter(isOdd))])).toEqual([[], []])
})

it('loads at most 300 kB, zipped, for its first page in Persian', async () => {
  const bytes = await countBytes(await panel.open({ language: 'fa' }))
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
