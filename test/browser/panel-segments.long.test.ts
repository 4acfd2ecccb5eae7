import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll, waitForAll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a user is found and tagged', async () => {
  const page = await panel.open()
  await panel.visit(page, '/users')
  await page.getByLabel('Search users').fill('user-16')
  await page.getByRole('link', { name: 'user-16', exact: true }).click()
  await page.getByRole('heading', { name: 'user-16' }).waitFor()
  await page.getByRole('combobox', { name: 'Tag' }).fill('from-the-panel')
  await page.getByRole('button', { name: 'Add' }).first().click()
  await page.getByRole('button', { name: 'Remove the tag from-the-panel' }).click()
  await page.getByText('Tag “from-the-panel” removed.').waitFor()
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Remove the tag from-the-panel' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  for (const tab of ['Events', 'Messages', 'Promo codes']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
  }
  await panel.visit(page, '/users?search=from-the-panel')
  await page.getByRole('link', { name: 'user-16', exact: true }).waitFor()
  expect(panel.faults).toEqual([])
})

test('a download that fails says so and is tried again, also after signing in anew', async () => {
  const page = await panel.open()
  const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'ios' }] }
  const made = await panel.call('POST', '/api/segments', { name: 'پرفروش', segment })
  const { id } = made.body as { id: string }
  await panel.visit(page, `/segments/${id}`)
  const file = '**/users.csv'
  const start = async () => {
    await page.getByRole('button', { name: 'More', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Download CSV' }).click()
  }

  await page.route(file, (route) =>
    route.fulfill({ status: 503, json: { error: { message: 'no', code: 'unavailable' } } }),
  )
  await start()
  await page.getByText('The service cannot reach its database right now.').waitFor()
  await page.unroute(file)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByText('پرفروش.csv downloaded').waitFor(),
    page.getByRole('button', { name: 'Try again' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('پرفروش.csv')

  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Download CSV' }).waitFor()
  await page.context().clearCookies()
  // Where the page asked for something by itself meanwhile, the dialog is over the menu already.
  await page.getByRole('menuitem', { name: 'Download CSV' }).dispatchEvent('click')
  await page.getByRole('dialog').getByText('Your session has ended.').waitFor()
  expect(panel.faults).toEqual([])
})

test('a segment that is gone leads back to the others', async () => {
  const page = await panel.open()
  await panel.visit(page, '/segments/4f0c5a8e-0000-4000-8000-000000000000')
  await page.getByRole('heading', { name: 'Segment not found', level: 1 }).waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Segments' }).first().click()
  await page.waitForURL('**/demo/segments')
  await poll(() => page.getByRole('table', { name: 'Segments' }).count()).toBe(1)
})

test('in Persian, numbers are typed and shown in their digits, and dates in their calendar', async () => {
  const page = await panel.open({ language: 'fa' })
  await panel.visit(page, '/settings/retention')
  const days = page.getByLabel('رویدادها')
  await poll(() => days.inputValue()).toBe('۴۰۰')
  await days.fill('')
  await days.pressSequentially('۱۲x3')
  await days.press('Home')
  await days.pressSequentially('9')
  expect(await days.inputValue()).toBe('۹۱۲۳')
  await days.press('Tab')
  expect(await days.inputValue()).toBe('۳۶۵۰')

  await panel.visit(page, '/users/user-1')
  await waitForAll(page)
  await page.getByRole('button', { name: 'افزودن' }).last().click()
  await page.getByRole('combobox', { name: 'نام' }).fill('تولد')
  await page.getByRole('combobox', { name: 'نوع' }).click()
  await page.getByRole('option', { name: 'تاریخ' }).click()
  await page.locator('input[type="datetime-local"]').fill('2025-03-21T10:00')
  await poll(() => page.getByText('۱ فروردین ۱۴۰۴').count()).toBeGreaterThan(0)
  expect(panel.faults).toEqual([])
})

test('no operator is cut off, in either language, on a wide screen or a narrow one', async () => {
  const words = {
    en: { what: 'What', lastVisit: 'Last visit', how: 'How' },
    fa: { what: 'چه چیزی', lastVisit: 'آخرین بازدید', how: 'چطور' },
  }
  for (const [language, width] of [
    ['en', 1280],
    ['en', 390],
    ['fa', 1280],
    ['fa', 390],
  ] as const) {
    const { what, lastVisit, how } = words[language]
    const page = await panel.open({ language, width })
    await panel.visit(page, '/segments/new')
    await page.getByRole('combobox', { name: what }).click()
    const options = page.getByRole('option')
    await page.getByRole('option', { name: lastVisit }).click()
    await poll(() => options.count()).toBe(0)
    const operator = page.getByRole('combobox', { name: how })
    await operator.click()
    await poll(() => options.count()).toBeGreaterThan(5)
    const operators = await options.allTextContents()
    const cut = await operator.evaluate((input, texts) => {
      const { font, paddingLeft, paddingRight } = getComputedStyle(input)
      const room = input.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight)
      const pen = document.createElement('canvas').getContext('2d') as CanvasRenderingContext2D
      pen.font = font
      return texts.filter((text) => pen.measureText(text).width > room)
    }, operators)
    expect(cut, `${language} ${width}`).toEqual([])
    await page.context().close()
  }
})

test('what is typed into the chosen field searches from an empty word', async () => {
  const page = await panel.open()
  await panel.visit(page, '/segments/new')
  const field = page.getByRole('combobox', { name: 'What' })
  await field.click()
  await page.keyboard.type('app ver')
  await poll(() => field.inputValue()).toBe('app ver')
  await page.keyboard.press('Enter')
  await poll(() => field.inputValue()).toBe('App version')
  // The list is closed, and the field has the focus.
  await page.keyboard.type('tag')
  await poll(() => field.inputValue()).toBe('tag')
  await page.getByRole('option', { name: 'Tag', exact: true }).click()
  await poll(() => field.inputValue()).toBe('Tag')
  await field.click()
  await page.keyboard.press('Escape')
  await poll(() => field.inputValue()).toBe('Tag')
  expect(panel.faults).toEqual([])
})
