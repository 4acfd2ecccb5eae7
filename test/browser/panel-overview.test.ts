import type { Overview } from '@peyk/contract'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'
import { isThorough } from '../helpers/runner/effort.ts'

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

test.runIf(isThorough)('the overview has exact numbers and counts who comes', async () => {
  const page = await panel.open()
  // What the page was told itself: on another day it would be other numbers.
  const [answer] = await Promise.all([
    page.waitForResponse(/\/overview\?days=7$/),
    panel.visit(page, '/overview?days=7'),
  ])
  const { platforms, days } = (await answer.json()) as Overview
  const today = days.length - 1
  const visits = Object.values(platforms).map((measures) => measures.visits[today] ?? 0)
  const left = page.getByRole('table', { name: 'Users who left' }).getByRole('row')
  await poll(() => left.count()).toBe(days.length + 1)
  const chart = page.locator('figure', { has: page.getByRole('table', { name: 'Visits' }) })
  const drawn = chart.getByRole('img', { name: 'Visits' })
  // What comes in above moves it.
  await poll(async () => {
    await drawn.scrollIntoViewIfNeeded()
    const { x, y, width } = (await drawn.boundingBox()) as { x: number; y: number; width: number }
    await page.mouse.move(x + width - 20, y + 60, { steps: 2 })
    return chart.getByText('so far').count()
  }).toBeGreaterThan(0)
  await drawn.focus()
  await page.keyboard.press('Home')
  await poll(() => chart.getByText('so far').count()).toBe(0)
  await chart.getByRole('button', { name: 'Show as a table' }).click()
  await poll(() => chart.getByRole('row').count()).toBe(days.length + 1)
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
  await card(page, 'Revenue').getByText('on all platforms').waitFor()
  await card(page, 'Installs')
    .getByText((before + 1).toLocaleString('en'), { exact: true })
    .waitFor()
  expect(panel.faults).toEqual([])
})
