import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriers, openPanel } from '../helpers/panel.ts'

// Quiet hours and codes are of the app: other tests of a shared one would meet them.
const panel = await openPanel({ isShared: false })
const tomorrow = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10)

async function compose(page: Page, content: string, trackId: string): Promise<void> {
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, `/send?new=yes&trackId=${trackId}`)
  await page.getByRole('radio', { name: 'Everybody' }).check()
  await field('content').fill(content)
}

/** The bars of "When it goes", and the ends of its axis. */
function readHours(list: Element) {
  const bars = [...list.querySelectorAll('li')].map((bar) => bar.getBoundingClientRect())
  const labels = [...(list.nextElementSibling?.children ?? [])].map((label) => label.getBoundingClientRect())
  const counts = [...list.querySelectorAll('li')].map((bar) =>
    Number(bar.title.match(/([\d,]+)$/)?.[1]?.replace(',', '')),
  )
  const total = counts.reduce((sum, count) => sum + count, 0)
  return { from: bars[0]?.left, to: bars.at(-1)?.right, axisFrom: labels[0]?.left, axisTo: labels.at(-1)?.right, total }
}

test('the review of a series without enough codes speaks of the same users everywhere', async () => {
  await panel.call('PUT', '/api/app', { quietHours: { from: '22:00', to: '08:00' } })
  for (const timeZone of ['Asia/Tokyo', 'America/New_York'])
    await panel.call('POST', '/api/installations', { userId: `in-${timeZone.at(-1)}`, deviceType: 'android', timeZone })
  const page = await panel.open()
  await compose(page, 'Your code: {{ promoCode }}', 'come-back')
  await page.getByRole('radio', { name: 'At each user’s local time' }).check()
  await page.getByLabel('Date and time').fill(`${tomorrow}T09:00`)
  await page.getByLabel('Repeat', { exact: true }).selectOption({ label: 'Every week' })
  await page.getByRole('button', { name: 'Check recipients' }).click()

  const heading = page.locator('[data-planned]')
  await heading.waitFor()
  const [, served, needed] = (await heading.textContent())?.match(/^Goes to ([\d,]+) of ([\d,]+) users$/) ?? []
  const devices = Number(await heading.getAttribute('data-planned'))
  expect(Number(served)).toBeGreaterThan(0)
  await page.getByRole('button', { name: `Schedule for ${served} of ${needed} users…` }).waitFor()
  const bar = (await page.locator('[data-send-bar]').textContent()) ?? ''
  expect(bar).toContain(`${served} of ${needed} users`)
  expect(bar).toContain(`${devices} devices in the audience`)
  await page.getByText(`Below are all ${devices} devices of the audience. Only ${served} of ${needed} users`).waitFor()
  expect(bar).not.toContain('Ready to send')

  const review = (await page.locator('main').textContent()) ?? ''
  expect(review).toContain(`Every occurrence needs ${needed} promo codes, and ${served} are left`)
  expect(review).toContain('Caps, quiet hours and the control group do not apply')
  const hours = await page.getByRole('list', { name: 'When it goes' }).evaluate(readHours)
  expect(hours.total).toBe(devices)
  expect(hours.from).toBeCloseTo(hours.axisFrom as number, 0)
  expect(hours.to).toBeCloseTo(hours.axisTo as number, 0)
  expect(await findBarriers(page)).toEqual([])
  expect(panel.faults).toEqual([])
})
