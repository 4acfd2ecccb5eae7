import type { MessageLine, Overview, Stall } from '@peyk/contract'
import { expect, it } from 'vitest'
import { findBarriers, openPanel } from '../helpers/panel.ts'

const panel = await openPanel()

/** The day on which it begins, also where midnight passes. */
const today = new Date()
const clock = (hours: number, minutes: number) => new Date(today).setHours(hours, minutes, 0, 0)
const stall: Stall = { provider: 'fcm', since: clock(0, 1), reason: 'name-not-found' }
const states = { queued: 40, sent: 10, delivered: 0, shown: 0, opened: 0, acted: 0, dismissed: 0, ended: 0 }
const stalled: MessageLine = {
  id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
  product: 'message',
  audience: 'query',
  createdAt: clock(0, 0),
  count: 50,
  channel: 'default',
  title: 'A send that waits',
  states,
  progress: { total: 50, settled: 10, waiting: 40, ratePerSecond: 7, waitingFor: [stall] },
}

it.each([
  [
    'en',
    /^Google \(FCM\) has accepted nothing since .*00:01$/,
    'It cannot be reached: its name cannot be resolved.',
    '10 of 50 · waiting for Google (FCM) since 00:01',
  ],
  [
    'fa',
    /^گوگل \(FCM\) از .* هیچ پیامی را نپذیرفته است$/,
    'در دسترس نیست: نام دامنه‌اش پیدا نمی‌شود (خطای DNS).',
    'از ساعت ۰:۰۱ منتظر گوگل (FCM)',
  ],
] as const)(
  'the overview says which provider takes nothing, since when and why: %s',
  async (language, title, why, waits) => {
    const page = await panel.open({ language })
    await page.clock.setFixedTime(clock(12, 0))
    // Two minutes without a push that was taken are more than a test waits for.
    await page.route('**/overview?*', async (route) => {
      const answer = await route.fetch()
      const overview = (await answer.json()) as Overview
      const warnings: Overview['warnings'] = [{ kind: 'provider-failing', ...stall }]
      await route.fulfill({ response: answer, json: { ...overview, warnings, sending: [stalled] } })
    })
    await panel.load(page, '/overview')
    await page.getByText(title).first().waitFor()
    await page.getByText(why).waitFor()
    await page.getByText(waits).waitFor()
    expect(await page.getByText('about').count()).toBe(0)
    expect(await findBarriers(page)).toEqual([])
    await page.getByRole('link', { name: language === 'en' ? 'Go to provider' : 'رفتن به سرویس‌دهنده' }).click()
    await page.waitForURL('**/settings/providers')
    expect(panel.faults).toEqual([])
  },
)
