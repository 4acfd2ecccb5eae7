import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

/** Far enough ahead that all of it is in the future, and in the middle of a month of both calendars. */
const day = (ahead: number) => `2027-04-${String(10 + ahead).padStart(2, '0')}`
const send = async (title: string, more: object): Promise<{ id: string; seriesId?: string }> => {
  const body = { target: {}, content: 'x', notification: { title, body: 'x' }, ...more }
  const answer = await panel.call('POST', '/api/push/byQuery', body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}
const read = async (id: string) => (await panel.call('GET', `/api/messages/${id}`)).body
const cell = (page: Page, of: string) => page.locator(`td[data-day="${of}"]`)
const item = (within: Page | Locator, name: string) => within.getByRole('button', { name: new RegExp(name) })

const calendarAddress = /\/panel\/api\/apps\/[^/]+\/calendar\?/

async function drag(page: Page, from: Locator, to: Locator, { x = 0.5, y = 0.5 } = {}): Promise<void> {
  const [start, end] = [await from.boundingBox(), await to.boundingBox()]
  if (!start || !end) throw new Error('nothing to drag')
  await page.mouse.move(start.x + start.width / 2, start.y + 4)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width * x, end.y + end.height * y, { steps: 8 })
  await page.mouse.up()
}

test('what is scheduled is seen by month and week, and moved by the mouse and the keyboard', async () => {
  const page = await panel.open()
  const sale = await send('Spring sale', { sendAt: `${day(0)}T09:00:00Z` })
  const morning = await send('Good morning', {
    sendAt: { local: `${day(1)}T08:00`, zone: 'Asia/Tehran', late: 'skip' },
  })
  await panel.visit(page, `/calendar?day=${day(0)}`)
  await page.getByRole('heading', { name: 'April 2027' }).waitFor()
  await item(cell(page, day(0)), '^09:00 ?Spring sale ?\\d+ devices$').waitFor()
  await item(cell(page, day(1)), '^08:00 ?local time ?Good morning').waitFor()
  expect(await findBarriers(page)).toEqual([])

  // A drop keeps the time; a click afterwards opens nothing by itself.
  await drag(page, item(cell(page, day(0)), 'Spring sale'), cell(page, day(3)))
  await item(cell(page, day(3)), '^09:00 ?Spring sale').waitFor()
  const toast = page.getByRole('alert')
  await toast.getByText(/^“Spring sale” moved to .*13, 2027/).waitFor()
  expect(await page.getByRole('menu').count()).toBe(0)
  await poll(async () => (await read(sale.id)).sendAt).toBe(Date.parse(`${day(3)}T09:00:00Z`))
  await toast.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('“Spring sale” is back where it was.').waitFor()
  await poll(async () => (await read(sale.id)).sendAt).toBe(Date.parse(`${day(0)}T09:00:00Z`))
  await item(cell(page, day(0)), 'Spring sale').waitFor()

  // One with a local time keeps that.
  await drag(page, item(cell(page, day(1)), 'Good morning'), cell(page, day(4)))
  await poll(async () => (await read(morning.id)).localTime).toMatchObject({
    local: `${day(4)}T08:00`,
    zone: 'Asia/Tehran',
    late: 'skip',
  })

  // By keys alone: from the day to its message, and through its menu.
  await page.locator(`[data-number="${day(0)}"]`).focus()
  await page.keyboard.press('ArrowRight')
  await poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-number'))).toBe(day(1))
  await page.keyboard.press('ArrowLeft')
  await poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-number'))).toBe(day(0))
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Move…' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Move…' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'When should it go?' })
  await dialog.getByLabel('Date and time').fill('2020-01-01T09:00')
  await page.keyboard.press('Enter')
  await dialog.getByText('This time has passed. Choose a later one.').waitFor()
  await dialog.getByLabel('Date and time').fill(`${day(2)}T17:30`)
  await page.keyboard.press('Enter')
  await item(cell(page, day(2)), '^17:30 ?Spring sale').waitFor()
  await poll(async () => (await read(sale.id)).sendAt).toBe(Date.parse(`${day(2)}T17:30:00Z`))

  // In a week, a drop takes the time, too; Escape leaves it.
  await page.locator(`[data-number="${day(2)}"]`).click()
  await page.getByRole('heading', { name: 'April 12 – 18, 2027' }).waitFor()
  const column = (of: string) => page.locator(`[data-hours][data-day="${of}"]`)
  await item(column(day(2)), 'Spring sale').scrollIntoViewIfNeeded()
  expect(await findBarriers(page)).toEqual([])
  const start = await item(column(day(2)), 'Spring sale').boundingBox()
  if (!start) throw new Error('it is not there')
  await page.mouse.move(start.x + 20, start.y + 4)
  await page.mouse.down()
  await page.mouse.move(start.x + 20, start.y - 48, { steps: 4 })
  expect(await page.locator('[data-ghost] time').textContent()).not.toBe('17:30')
  await page.keyboard.press('Escape')
  await page.mouse.up()
  const isAskedAgain = page.waitForResponse(calendarAddress)
  await drag(page, item(column(day(2)), 'Spring sale'), column(day(5)), { y: 15 / 24 + 0.004 })
  await item(column(day(5)), '^15:00 ?Spring sale').waitFor()
  await poll(async () => (await read(sale.id)).sendAt).toBe(Date.parse(`${day(5)}T15:00:00Z`))
  await isAskedAgain

  // One that has started meanwhile stays, and that is said. The page does not know of it yet.
  const isDragged = Promise.withResolvers<void>()
  await page.route(calendarAddress, async (route) => {
    await isDragged.promise
    await route.continue()
  })
  await panel.call('DELETE', `/api/messages/${sale.id}`)
  await drag(page, item(column(day(5)), 'Spring sale'), column(day(4)), { y: 0.5 })
  isDragged.resolve()
  await page.getByText(/cannot be changed any more/).waitFor()
  await poll(() => item(page, 'Spring sale').count()).toBe(0)
  expect(panel.faults).toEqual([])
})

test('a finger that rests drags, one that moves at once scrolls', async () => {
  const page = await panel.open()
  const tour = await send('City tour', { sendAt: `${day(0)}T09:00:00Z` })
  await panel.visit(page, `/calendar?day=${day(0)}`)
  const touch = await page.context().newCDPSession(page)
  const put = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: { x: number; y: number }) =>
    touch.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [at] : [] })
  const middleOf = async (of: Locator) => {
    const { x, y, width, height } = (await of.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    return { x: x + width / 2, y: y + height / 2 }
  }
  const dragged = item(cell(page, day(0)), 'City tour')
  const [from, to] = [await middleOf(dragged), await middleOf(cell(page, day(3)))]
  const ghost = page.locator('[data-ghost]')

  // At once, without a wait for answers in which the finger would rest.
  await Promise.all([put('touchStart', from), put('touchMove', { x: from.x, y: from.y + 30 }), put('touchMove', to)])
  expect(await ghost.count()).toBe(0)
  await put('touchEnd')

  await put('touchStart', from)
  await ghost.waitFor()
  await put('touchMove', { x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 })
  await put('touchMove', to)
  await put('touchEnd')
  await item(cell(page, day(3)), '^09:00 ?City tour').waitFor()
  await poll(async () => (await read(tour.id)).sendAt).toBe(Date.parse(`${day(3)}T09:00:00Z`))
  expect(await page.getByRole('menu').count()).toBe(0)
  await panel.call('DELETE', `/api/messages/${tour.id}`)
  expect(panel.faults).toEqual([])
})

test('a series is seen with its later moments, caps are marked, and what went stands on its day', async () => {
  await panel.call('POST', '/api/categories', { id: 'news', name: { en: 'News', fa: 'خبرها' } })
  await panel.call('PUT', '/api/app', { caps: [{ count: 1, window: '24h' }] })
  const { seriesId } = await send('Weekly picks', {
    category: 'news',
    sendAt: '2027-05-03T10:00:00Z',
    repeat: { rule: 'FREQ=DAILY', count: 9 },
  })
  await send('Extra', { category: 'news', sendAt: '2027-05-05T10:30:00Z' })
  await send('Went just now', {})
  const page = await panel.open()
  await panel.visit(page, '/calendar?day=2027-05-05')
  const picks = item(page, 'Weekly picks')
  await poll(() => picks.count()).toBe(9)
  await poll(() => page.locator('[data-kind="further"]').count()).toBe(4)
  await item(page, 'Weekly picks.*later moment of a repeating message').first().waitFor()
  await cell(page, '2027-05-05').getByText('2 messages to groups within 1 day; a user gets at most 1.').waitFor()
  await item(cell(page, '2027-05-05'), 'within an hour of another message to everybody').first().waitFor()
  await page.getByText('Marked days have more messages').waitFor()
  await page.getByRole('listitem').filter({ hasText: 'News' }).waitFor()
  expect(await findBarriers(page)).toEqual([])

  // One of them is moved by itself; a later moment cannot be.
  await drag(page, item(cell(page, '2027-05-04'), 'Weekly picks'), cell(page, '2027-05-20'))
  await item(cell(page, '2027-05-20'), 'Weekly picks.*changed by itself').waitFor()
  await page.locator('[data-kind="further"]').first().click()
  await page.getByRole('menuitem', { name: 'Repeating message' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Move…' }).count()).toBe(0)
  await page.getByRole('menuitem', { name: 'Repeating message' }).click()
  await page.waitForURL(`**/series/${seriesId}`)

  await panel.visit(page, '/calendar')
  const today = page.locator('td:has([aria-current="date"])')
  await item(today, 'Went just now.*(sent|being sent)').waitFor()
  await page.getByRole('button', { name: 'Next month' }).click()
  await poll(() => page.locator('[aria-current="date"]').count()).toBeLessThanOrEqual(1)
  await page.keyboard.press('PageUp')
  await item(today, 'Went just now').waitFor()
  await page.getByRole('button', { name: 'Today' }).click()

  // Nothing goes back in time.
  const later = await panel.open()
  await later.clock.setFixedTime('2027-05-12T12:00:00Z')
  await panel.visit(later, '/calendar')
  await drag(later, item(cell(later, '2027-05-20'), 'Weekly picks'), cell(later, '2027-05-11'))
  await later.getByText('That time has passed. It stays where it was.').waitFor()
  await item(cell(later, '2027-05-20'), 'Weekly picks').waitFor()
  expect(panel.faults).toEqual([])
})

test('in Persian it has Persian months and weeks from Saturday on, and on a phone it is a list', async () => {
  const { id } = await send('Nowruz', { sendAt: '2027-03-24T09:00:00Z' })
  const page = await panel.open({ language: 'fa', scheme: 'dark' })
  await panel.visit(page, '/calendar?day=2027-03-24')
  await page.getByRole('heading', { name: 'فروردین ۱۴۰۶' }).waitFor()
  expect(await page.getByRole('columnheader').first().textContent()).toBe('شنبه')
  // 1 Farvardin 1406 is a Sunday.
  expect(await page.locator('[data-number="2027-03-21"]').textContent()).toBe('۱')
  expect(await cell(page, '2027-03-20').getAttribute('data-outside')).toBe('true')
  await drag(page, item(cell(page, '2027-03-24'), 'Nowruz'), cell(page, '2027-03-22'))
  await poll(async () => (await read(id)).sendAt).toBe(Date.parse('2027-03-22T09:00:00Z'))
  await page.locator('[data-number="2027-03-22"]').focus()
  await page.keyboard.press('ArrowLeft')
  await poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-number'))).toBe('2027-03-23')
  expect(await findBarriers(page)).toEqual([])

  const narrow = await panel.open({ language: 'fa', width: 390 })
  await panel.visit(narrow, '/calendar?day=2027-03-24')
  await narrow.getByRole('heading', { name: 'دوشنبه ۲ فروردین' }).waitFor()
  await item(narrow, 'Nowruz').click()
  await narrow.getByRole('menuitem', { name: 'جابه‌جایی…' }).click()
  await narrow
    .getByRole('dialog')
    .getByRole('textbox')
    .or(narrow.locator('input[type=datetime-local]'))
    .first()
    .fill('2027-03-25T09:00')
  await narrow.keyboard.press('Enter')
  await poll(async () => (await read(id)).sendAt).toBe(Date.parse('2027-03-25T09:00:00Z'))
  expect(await narrow.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
  expect(await findBarriers(narrow)).toEqual([])
  expect(panel.faults).toEqual([])
})
