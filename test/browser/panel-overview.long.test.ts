import { readFile } from 'node:fs/promises'
import type { Overview } from '@peyk/contract'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll, waitForAll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('events arrive while one looks, and tell of their values; channels and uninstalls lead on', async () => {
  const page = await panel.open()
  await panel.visit(page, '/events')
  await page.getByRole('link', { name: 'ViewItem' }).first().waitFor()
  const search = page.getByLabel('Search events')
  await search.fill('VItem')
  await search.press('Home')
  await search.press('ArrowRight')
  await search.pressSequentially('iew')
  await page.waitForURL(/search=ViewItem$/)
  expect(await search.inputValue()).toBe('ViewItem')
  await panel.call('POST', '/api/installations/trackPurchase', {
    userId: 'user-1',
    eventName: 'Tipped',
    eventData: { waiter: 'Omid' },
    revenue: 7.5,
    currency: 'EUR',
  })
  await page.getByRole('list', { name: 'Live' }).getByRole('link', { name: 'Tipped' }).click()
  await page.getByRole('heading', { name: 'Tipped', level: 1 }).waitFor()
  await page.getByText('€7.50').first().waitFor()
  await page.getByRole('cell', { name: 'waiter', exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  await panel.visit(page, '/uninstalls?days=90')
  await page.getByText('iOS is an estimate').waitFor()
  const rows = page.getByRole('table', { name: 'Uninstalled devices' }).getByRole('row')
  await poll(() => rows.count()).toBeGreaterThan(5)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText(/^uninstalls.*\.csv downloaded/).waitFor(),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('\ufefftime,platform,userId,installationId,lastOfUser')
  expect(lines.length).toBeGreaterThan(20)

  await panel.visit(page, '/channels')
  await page.getByRole('link', { name: 'Send to channel: news' }).click()
  await page.waitForURL(/\/send/)
  await poll(() => page.locator('[data-field="channel"]').first().inputValue()).toBe('news')
  expect(panel.faults).toEqual([])
})

test('days and amounts of a chart are read from the right in Persian', async () => {
  const page = await panel.open({ language: 'fa' })
  const labels = page.locator('figure svg text').filter({ hasText: /^\S+ \S+$/ })
  await labels.first().waitFor()
  const isFromTheRight = await labels.evaluateAll((texts) =>
    (texts as SVGTextElement[]).map(
      (text) => text.getExtentOfChar(0).x > text.getExtentOfChar(text.getNumberOfChars() - 1).x,
    ),
  )
  expect(new Set(isFromTheRight)).toEqual(new Set([true]))
})
test('the overview shows what is being sent', async () => {
  const page = await panel.open()
  await page.evaluate(async () => {
    const headers = { 'content-type': 'application/json' }
    await fetch('/panel/api/apps/demo/moods/fcm', { method: 'PUT', headers, body: '{"mood":"busy"}' })
  })
  await panel.call('POST', '/api/push/byQuery', {
    target: {},
    content: 'Slowly',
    notification: { title: 'A slow one' },
  })
  await panel.visit(page, '/overview')
  await page.getByRole('heading', { name: 'Sending now' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click()
  await page.getByText(/^(Cancelled|Cancelling|Too late)/).waitFor()
  await page.getByRole('heading', { name: 'Sending now' }).waitFor({ state: 'detached' })
  expect(panel.faults).toEqual([])
})

test('a change is of the number that is shown, and says against what', async () => {
  const page = await panel.open()
  // Its first answer is none that is looked at.
  await waitForAll(page)
  // What the page was told: a moment later more of today has passed.
  const [answer] = await Promise.all([page.waitForResponse(/\/overview\?days=30$/), page.reload()])
  await waitForAll(page)
  const { platforms, before } = (await answer.json()) as Overview
  const now = Object.values(platforms)
    .flatMap(({ visits }) => visits)
    .reduce((sum, value) => sum + value, 0)
  const then = Object.values(before).reduce((sum, { visits }) => sum + visits, 0)
  const visits = page.locator('section', { has: page.getByText('Visits', { exact: true }) }).first()
  const share = Math.abs(now / then - 1).toLocaleString('en', { style: 'percent', maximumFractionDigits: 1 })
  await visits.getByText(share, { exact: true }).hover()
  await page
    .getByRole('tooltip')
    .getByText(`${now.toLocaleString('en')} in this period, up to now.`)
    .waitFor()
  expect(await page.getByRole('tooltip').textContent()).toContain(`${then.toLocaleString('en')} in the period before`)
  expect(panel.faults).toEqual([])
})
