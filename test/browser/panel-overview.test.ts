import { readFile } from 'node:fs/promises'
import type { Overview } from '@peyk/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

const ask = (page: Page, path: string, method = 'GET', body?: object): Promise<unknown> =>
  page.evaluate(
    async ([wanted, how, sent]) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`/panel/api/apps/demo${wanted}`, {
        method: how as string,
        headers,
        ...(sent && { body: sent }),
      })
      return answer.json()
    },
    [path, method, body && JSON.stringify(body)],
  )

const card = (page: Page, label: string) =>
  page.locator('section', { has: page.getByText(label, { exact: true }) }).first()

test('the overview has exact numbers, counts who comes, and shows what is being sent', async () => {
  const page = await panel.open()
  const { platforms, days } = (await ask(page, '/overview?days=7')) as Overview
  await panel.visit(page, '/overview?days=7')
  const today = days.length - 1
  const visits = Object.values(platforms).map((measures) => measures.visits[today] ?? 0)
  const left = page.getByRole('table', { name: 'Users who left' }).getByRole('row')
  await poll(() => left.count()).toBe(days.length + 1)
  const chart = page.locator('figure', { has: page.getByRole('table', { name: 'Visits' }) })
  const drawn = chart.locator('svg')
  // What comes in above moves it.
  await poll(async () => {
    await drawn.scrollIntoViewIfNeeded()
    const { x, y, width } = (await drawn.boundingBox()) as { x: number; y: number; width: number }
    await page.mouse.move(x + width - 20, y + 60, { steps: 2 })
    return chart.getByText('so far').count()
  }).toBeGreaterThan(0)
  for (const number of visits.filter((value) => value > 0)) {
    expect(await chart.textContent()).toContain(number.toLocaleString('en'))
  }

  const installs = async () => {
    const found = (await ask(page, '/overview?days=7')) as Overview
    return found.platforms.web.installs.reduce((sum, value) => sum + value, 0)
  }
  await page.getByRole('radiogroup', { name: 'Platform' }).getByText('Browser').click()
  await page.waitForURL(/platform=web/)
  const before = await installs()
  const device = await panel.call('POST', '/api/installations', { deviceType: 'web', isGuest: true })
  expect([device.status, await installs()]).toEqual([200, before + 1])
  await page.reload()
  await card(page, 'Revenue').getByText('of all platforms').waitFor()
  await card(page, 'Installs')
    .getByText((before + 1).toLocaleString('en'), { exact: true })
    .waitFor()

  await ask(page, '/moods/fcm', 'PUT', { mood: 'busy' })
  await panel.call('POST', '/api/push/byQuery', {
    target: {},
    content: 'Slowly',
    notification: { title: 'A slow one' },
  })
  await panel.visit(page, '/overview')
  await page.getByRole('heading', { name: 'Being sent now' }).waitFor()
  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByText('Paused', { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel message' }).click()
  await page.getByText(/^(Stopped|Stopping|Too late)/).waitFor()
  await page.getByRole('heading', { name: 'Being sent now' }).waitFor({ state: 'detached' })
  expect(panel.faults).toEqual([])
})

test('events arrive while one looks, and tell of their values; channels and uninstalls lead on', async () => {
  const page = await panel.open()
  await panel.visit(page, '/events')
  await page.getByRole('link', { name: 'ViewItem' }).first().waitFor()
  const search = page.getByLabel('Find an event')
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
  const rows = page.getByRole('table', { name: 'Who is gone' }).getByRole('row')
  await poll(() => rows.count()).toBeGreaterThan(5)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText(/^uninstalls.*\.csv is downloaded/).waitFor(),
    page.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines[0]).toBe('\ufefftime,platform,userId,installationId,lastOfUser')
  expect(lines.length).toBeGreaterThan(20)

  await panel.visit(page, '/channels')
  await page.getByRole('link', { name: 'Send to it: news' }).click()
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
