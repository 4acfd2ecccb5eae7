import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })
const command = join(import.meta.dirname, '../../server/bin/peyk.js')
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Enough for a tenth of them to be compared with: a third each in Tehran, in Berlin, and nobody knows where. */
const people = Array.from({ length: 1_300 }, (_, index) => `planned-${index}`)
const zoneOf = (index: number) => ['Asia/Tehran', 'Europe/Berlin', undefined][index % 3]
/** Some in Tehran, who get so much that a cap holds the digest back, unless they are in its control group. */
const busy = [0, 3, 6, 9, 12, 15, 18, 21].map((index) => `planned-${index}`)

/** In two days, when clocks everywhere still have nine o’clock ahead of them. */
const date = new Date(Date.now() + 2 * DAY).toISOString().slice(0, 10)
const at = (time: string, days = 0) => Date.parse(`${date}T${time}Z`) + days * DAY
let ahead = 0

/** Lets the time of the service pass, up to this moment. */
async function passUntil(moment: number): Promise<void> {
  const minutes = Math.ceil((moment - Date.now() - ahead) / MINUTE)
  const env = { ...process.env, PEYK_DATA: panel.service.dataFolder }
  await promisify(execFile)(process.execPath, [command, 'time', 'forward', `${minutes}m`], { env })
  ahead += minutes * MINUTE
}

async function inParts<T>(all: readonly T[], work: (each: T, index: number) => Promise<void>): Promise<void> {
  const places = all.entries()
  await Promise.all(
    Array.from({ length: 20 }, async () => {
      for (const [index, each] of places) await work(each, index)
    }),
  )
}

async function call(method: string, path: string, body?: object) {
  const answer = await panel.call(method, path, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

/** So many percent of the users of each variant, and of control, buy something. */
async function buy(id: string, percent: Record<string, number>): Promise<void> {
  const buyers: string[] = []
  for (const [variant, share] of Object.entries(percent)) {
    const users = await usersOf(id, variant)
    buyers.push(...users.slice(0, Math.round((users.length * share) / 100)))
  }
  await inParts(buyers, (userId) => call('POST', '/api/installations/track', { userId, eventName: 'Purchase' }))
}

async function usersOf(id: string, variant: string): Promise<string[]> {
  const users: string[] = []
  for (let cursor = ''; ; ) {
    const page = await call('GET', `/api/messages/${id}/deliveries?limit=500${cursor && `&cursor=${cursor}`}`)
    for (const each of page.data) if (each.variant === variant && each.userId) users.push(each.userId)
    cursor = page.cursor ?? ''
    if (cursor === '') return users
  }
}

const results = (id: string) => call('GET', `/api/messages/${id}/variants`)
const countAssigned = async (id: string): Promise<number> => {
  const { variants, control } = await results(id)
  return [...variants, control].reduce((sum: number, { assigned }: { assigned: number }) => sum + assigned, 0)
}

async function compose(page: Page): Promise<void> {
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const tab = (name: string) => page.getByRole('tab', { name })
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Everybody' }).check()
  await field('notification.title').fill('The week')
  await field('content').fill('Ten new books')
  await page.getByRole('combobox', { name: 'Add language' }).click()
  await page.getByPlaceholder('Search languages').fill('Persian')
  await page.getByRole('option', { name: 'Persian' }).click()
  await field('content').fill('ده کتاب تازه')
  await page.getByRole('switch', { name: 'A/B test' }).check()
  await tab('Variant B').click()
  await field('content').first().fill('ده کتاب، نیم‌بها')
  await page.getByRole('tab', { name: 'Default', exact: true }).click()
  await field('content').fill('Ten books at half price')
  await field('control').fill('10')
  await field('goal.event').fill('Purchase')
  // The list of names that it opens would lie over what comes next.
  await field('goal.event').blur()
  await page.getByRole('radio', { name: 'At each user’s local time' }).check()
  await page.getByLabel('Date and time').fill(`${date}T09:00`)
  await page.getByLabel('Repeat', { exact: true }).selectOption({ label: 'Every week' })
  await page.getByRole('combobox', { name: 'Category' }).click()
  await page.getByRole('option', { name: 'News' }).click()
}

test('a week is planned, moved, lived through and compared', async () => {
  await call('POST', '/api/categories', { id: 'news', name: { en: 'News', fa: 'خبرها' } })
  await call('PUT', '/api/app', {
    quietHours: { from: '22:00', to: '08:00' },
    caps: [{ count: 3, window: '24h' }],
  })
  await inParts(people, (userId, index) => {
    const timeZone = zoneOf(index)
    const language = index % 2 === 0 ? 'fa-IR' : 'en'
    return call('POST', '/api/installations', {
      userId,
      deviceType: 'android',
      language,
      ...(timeZone && { timeZone }),
    })
  })

  const page = await panel.open()
  await compose(page)
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('When it goes').first().waitFor()
  await page.getByRole('heading', { name: 'Languages of the devices' }).waitFor()
  await page.getByRole('heading', { name: 'Variants', exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: /^Schedule for [\d,]+ devices…$/ }).click()
  const question = page.getByRole('dialog', { name: 'Schedule this message?' })
  await question.getByText(/^Every week on .* at 09:00 local time$/).waitFor()
  const typed = question.getByRole('textbox')
  if (await typed.count()) await typed.fill(String(await page.locator('[data-planned]').getAttribute('data-planned')))
  await question.getByRole('button', { name: /^Schedule for [\d,]+ devices$/ }).click()
  await page.waitForURL(/\/series\/[0-9a-f-]{36}$/)
  const seriesId = page.url().split('/').at(-1)
  const { next } = await call('GET', `/api/series/${seriesId}`)
  const [{ id: first }, { id: second }] = next

  // The second week, a day later.
  const dayOf = (days: number) => new Date(at('09:00', days)).toISOString().slice(0, 10)
  await panel.visit(page, `/calendar?day=${dayOf(7)}`)
  const entry = (of: string) => page.locator(`td[data-day="${of}"]`).getByRole('button', { name: /The week/ })
  await entry(dayOf(7)).click()
  await page.getByRole('menuitem', { name: 'Move…' }).click()
  const move = page.getByRole('dialog', { name: 'When should it go?' })
  await move.getByLabel('At each user’s local time').fill(`${dayOf(8)}T09:00`)
  await move.getByRole('button', { name: 'Save time' }).click()
  await entry(dayOf(8)).waitFor()
  // The page shows it there before the service has answered.
  await poll(async () => (await call('GET', `/api/messages/${second}`)).localTime.local).toBe(`${dayOf(8)}T09:00`)

  // It starts when the first clocks on earth show nine. Some get three other messages that evening.
  await passUntil(at('19:01', -1))
  await poll(async () => (await call('GET', `/api/messages/${first}`)).progress.waiting).toBeGreaterThan(1_000)
  for (const content of ['One', 'Two', 'Three'])
    await call('POST', '/api/push/toUsers', { users: busy, content, category: 'news', quietHours: 'ignore' })
  await passUntil(at('05:31'))
  await poll(async () => (await call('GET', `/api/messages/${first}`)).reasons.capped).toBeGreaterThan(0)
  await passUntil(at('09:01'))
  const devices = (await call('GET', `/api/messages/${first}`)).count
  await poll(() => countAssigned(first)).toBeGreaterThan(people.length - 1)
  expect(devices).toBeGreaterThan(people.length)

  await buy(first, { A: 12, B: 40, control: 8 })
  await poll(async () => (await results(first)).variants[1].chanceOfBest).toBeGreaterThan(0.95)
  await panel.visit(page, `/messages/${first}`)
  await page.getByRole('heading', { name: /^B is best, with a probability of / }).waitFor()
  await page
    .locator('[data-tested="B"]')
    .getByText(/\+[\d.,]+%.* over the control group \(.*\+.* to .*\+.*\)/)
    .waitFor()
  expect(await findBarriers(page)).toEqual([])
  const { data: ended } = await call('GET', `/api/messages/${first}/deliveries?reason=capped`)
  const capped = ended[0].userId
  await page.getByPlaceholder('User id').first().fill(capped)
  await page.getByRole('button', { name: 'Show history' }).click()
  await page
    .getByText(/as many messages as a cap/)
    .first()
    .waitFor()
  const { installations } = await call('GET', `/api/messages/${first}/explain?user=${capped}`)
  expect(installations[0].story.at(-1).text).toContain('3 in 24h')

  // Another one tries both texts on half of them, and sends the better one to the others by itself.
  const { id: tried } = await call('POST', '/api/push/byQuery', {
    ...{ target: {}, content: 'A', ttl: 6 * 3_600 },
    variants: [{ name: 'A' }, { name: 'B', content: 'B' }],
    winner: { by: 'event:Purchase', after: '1h', testShare: 50, otherwise: 'A' },
  })
  await poll(async () => (await usersOf(tried, 'A')).length + (await usersOf(tried, 'B')).length).toBeGreaterThan(500)
  await buy(tried, { A: 10, B: 50 })
  await passUntil(Date.now() + ahead + 2 * HOUR)
  await poll(async () => (await results(tried)).winner.others.handedOver).toBeGreaterThan(500)
  await panel.visit(page, `/messages/${tried}`)
  await page.getByRole('heading', { name: 'B won' }).waitFor()
  await page.getByText(/^The largest share of its users did “Purchase” by the end of the test/).waitFor()

  const inPersian = await panel.open({ language: 'fa', scheme: 'dark', width: 390 })
  await panel.visit(inPersian, `/messages/${first}`)
  await inPersian.getByRole('heading', { name: /بهترین است$/ }).waitFor()
  expect(await inPersian.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false)
  expect(panel.faults).toEqual([])
})
