import type { SendPlan } from '@peyk/contract'
import type { Locator, Route } from 'playwright-core'
import { expect, test } from 'vitest'
import { choosePassword, findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('the text is shown as it will arrive, and nothing typed is lost', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, '/send?user=user-1')
  const inApp = page.getByTitle('Message text')
  await field('content').fill('Hello {{ userId }}')
  await poll(() => inApp.textContent()).toMatch(/^Hello [^{]/)
  await field('content').fill('Plain words only')
  await poll(() => inApp.textContent()).toBe('Plain words only')

  await page.getByRole('button', { name: 'Data for the app' }).click()
  await field('data').fill('{"sale": 1,}')
  await page.getByText('This is not valid JSON').waitFor()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('Fix the fields marked above first.').waitFor()
  await page.reload()
  await poll(() => field('data').inputValue()).toBe('{"sale": 1,}')
  expect(await field('content').inputValue()).toBe('Plain words only')
  expect(panel.faults).toEqual([])
})

test('a message is sent again from the one before, and to everybody only when their number is typed', async () => {
  const content = 'Hello {{ user.firstName | default: "friend" }}'
  const { body: sent } = await panel.call('POST', '/api/push/toUsers', { user: 'user-1', content })
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, `/send?from=${sent.id}`)
  await poll(() => field('content').inputValue()).toBe(content)
  await page.getByRole('radio', { name: 'Everybody' }).check()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByRole('button', { name: /^Send to [\d,]+ devices…/ }).click()
  const confirm = page.getByRole('button', { name: /devices now$/ })
  expect(await confirm.isDisabled()).toBe(true)
  await page.getByLabel(/^Type [\d,]+ to confirm/).fill('4')
  expect(await confirm.isDisabled()).toBe(true)
  expect(await findBarriers(page)).toEqual([])
  expect(panel.faults).toEqual([])
})

test('what is missing, who is left out and what was replaced is said where it matters', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const plan = page.getByRole('region', { name: 'Review' })
  await panel.visit(page, '/send')
  await field('users').fill('user-1, nobody-here')
  await page.getByRole('button', { name: 'Choose a device' }).click()
  await page.getByText('Message text: Write a text.').waitFor()
  await field('content').fill('Hello')
  await page.getByText('Message text: Write a text.').waitFor({ state: 'hidden' })

  await page.getByRole('button', { name: /^Send to .+…$/ }).click()
  await plan.getByText('One id belongs to no user: nobody-here').waitFor()
  await poll(() => page.locator('[data-planned]:focus').count()).toBe(1)
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(await plan.getByText('Nobody is left out.').count()).toBe(0)
  expect(await plan.getByText('Ready to send.').count()).toBe(0)

  await page.getByRole('button', { name: 'Add button' }).click()
  await poll(() => field('notification.actions[0].title').evaluate((input) => input === document.activeElement)).toBe(
    true,
  )
  await page.keyboard.type('Open')
  expect(await field('notification.actions[0].icon').isVisible()).toBe(false)
  const message = '"notification.actions[0].icon": no such picture.'
  const error = { code: 'invalid-request', message, details: { field: 'notification.actions[0].icon' } }
  await page.route('**/send/plan', (route) => route.fulfill({ status: 400, json: { error } }), { times: 1 })
  await page.getByRole('button', { name: 'Check again' }).click()
  await field('notification.actions[0].icon').waitFor()

  await page.getByRole('radio', { name: 'Everybody' }).check()
  await page.getByText('This goes to every device that has the app.').waitFor()
  await page.getByRole('button', { name: 'Advanced' }).click()
  await field('channel').fill('nowhere')
  await page.getByText('This goes to every device on the channel “nowhere”').waitFor()

  await panel.visit(page, '/send?user=user-2')
  await page.getByText('The recipients of your draft were replaced').waitFor()
  expect(await field('users').inputValue()).toBe('user-2')
  await page.getByRole('button', { name: 'Bring them back' }).click()
  await poll(() => page.getByRole('radio', { name: 'Everybody' }).isChecked()).toBe(true)
  expect(await field('content').inputValue()).toBe('Hello')

  const filtered = { target: { deviceType: 'ios' }, content: 'By a filter' }
  const { body: sent } = await panel.call('POST', '/api/push/byQuery', filtered)
  await panel.visit(page, `/send?from=${sent.id}`)
  await page.getByText('That message used a filter that only the API knows.').waitFor()
  expect(await field('content').inputValue()).toBe('By a filter')
  expect(panel.faults).toEqual([])
})

test('who gets nothing for want of a code is said wherever the number is', async () => {
  const segments = (await panel.call('GET', '/api/segments')).body as { id: string; name: string }[]
  const page = await panel.open()
  const plan = page.getByRole('region', { name: 'Review' })
  await panel.visit(page, `/send?segment=${segments.find(({ name }) => name === 'Loyal customers')?.id}`)
  await page.locator('[data-field=content]').fill('Your code: {{ promoCode }}')
  await page.locator('[data-field=trackId]').fill('come-back')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await plan.getByText(/users get nothing: there are not enough codes/).waitFor()
  expect(await plan.getByText('Nobody is left out.').count()).toBe(0)
  await plan.getByRole('heading', { name: /^Goes to [\d,]+ of [\d,]+ users$/ }).waitFor()
  const withoutAny = async (route: Route) => {
    const planned = (await (await route.fetch()).json()) as SendPlan
    if (planned.dryRun.promo) planned.dryRun.promo.missing = planned.dryRun.promo.needed
    await route.fulfill({ json: planned })
  }
  await page.route('**/send/plan', withoutAny, { times: 1 })
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByText('No promo codes are left. Upload some first.').waitFor()
  await page.getByRole('button', { name: 'Check again' }).click()
  await page.getByRole('button', { name: /^Send to [\d,]+ of [\d,]+ users…/ }).click()
  const dialog = page.getByRole('dialog')
  const now = dialog.getByRole('button', { name: /users now$/ })
  expect(await now.isDisabled()).toBe(true)
  await dialog.getByLabel(/^Leave out the [\d,]+ users without a code/).check()
  expect(await now.isDisabled()).toBe(false)
})

test('who may not send a message to so many is told so by its dry run', async () => {
  const admin = await panel.open()
  const link = await admin.evaluate(async () => {
    const body = JSON.stringify({ email: 'support@shop.example', role: 'support' })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch('/panel/api/apps/demo/members', { method: 'POST', headers, body })
    return `/panel/enter#${((await answer.json()) as { secret: string }).secret}`
  })
  const page = await panel.openSignedOut({ language: 'fa' })
  await page.goto(new URL(link, panel.demo.baseUrl).href)
  await choosePassword(page)
  await page.waitForURL('**/panel/demo/overview')
  await panel.visit(page, '/send')
  await page
    .locator('[data-field=users]')
    .fill(Array.from({ length: 11 }, (_, index) => `user-${index + 1}`).join('\n'))
  await page.locator('[data-field=content]').fill('سلام')
  await page.getByRole('button', { name: 'بررسی گیرندگان' }).click()
  await page.getByRole('listitem').filter({ hasText: 'نقش شما می‌تواند تا ۱۰ کاربر بفرستد.' }).waitFor()
  expect(await page.getByText('آمادهٔ ارسال.').count()).toBe(0)
})

test('a campaign is asked for before codes are missed', async () => {
  const page = await panel.open()
  await panel.visit(page, '/send')
  await page.route('**/send/codes*', (route) => route.fulfill({ json: {} }))
  await page.getByRole('button', { name: 'Insert variable: Message text' }).click()
  await page.getByText('Codes belong to a campaign: choose it under “Audience”').waitFor()
  expect(panel.faults).toEqual([])
})

const isFocused = (locator: Locator) => locator.evaluate((element) => element === document.activeElement)

test('emoji are found and inserted by keyboard, in both languages and directions', async () => {
  const page = await panel.open()
  const title = page.locator('[data-field="notification.title"]')
  await panel.visit(page, '/send')
  await title.fill('Sale: today')
  await title.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4))
  await page.getByRole('button', { name: 'Insert emoji: Notification title' }).press('Enter')
  await poll(() => isFocused(page.getByLabel('Search emoji'))).toBe(true)
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.type('red hear')
  await poll(() => page.getByRole('group', { name: 'Found' }).getByRole('button').count()).toBe(1)
  await page.keyboard.press('Enter')
  await poll(() => title.inputValue()).toBe('Sale❤️: today')
  await poll(() =>
    title.evaluate((input: HTMLInputElement) => input === document.activeElement && input.selectionStart),
  ).toBe('Sale❤️'.length)

  await page.getByRole('button', { name: 'Insert emoji: Notification title' }).click()
  await page.getByRole('group', { name: 'Recent' }).getByRole('button', { name: 'red heart' }).waitFor()
  await poll(() => isFocused(page.getByLabel('Search emoji'))).toBe(true)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Space')
  await poll(() => title.inputValue()).toBe('Sale❤️😃: today')

  const persian = await panel.open({ language: 'fa' })
  await panel.visit(persian, '/send')
  const text = persian.locator('[data-field=content]')
  await text.fill('سلام ')
  await persian.getByRole('button', { name: 'افزودن ایموجی: متن پیام' }).click()
  await poll(() => isFocused(persian.getByLabel('جست‌وجوی ایموجی'))).toBe(true)
  await persian.keyboard.press('ArrowDown')
  await persian.keyboard.press('ArrowLeft')
  await persian.keyboard.press('Enter')
  await poll(() => text.inputValue()).toBe('سلام 😃')
  await persian.getByRole('button', { name: 'افزودن ایموجی: متن پیام' }).click()
  await poll(() => isFocused(persian.getByLabel('جست‌وجوی ایموجی'))).toBe(true)
  await persian.keyboard.type('هديه')
  await persian.getByRole('group', { name: 'نتیجه‌ها' }).getByRole('button', { name: 'هدیه', exact: true }).click()
  await poll(() => text.inputValue()).toBe('سلام 😃🎁')
  expect(panel.faults).toEqual([])
})

test('what phones would cut is said where it is written, for what the recipient reads', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, '/send?user=user-1')
  await field('notification.title').fill('x'.repeat(30))
  expect(await page.getByText('30 characters.').count()).toBe(0)
  await field('notification.title').fill('x'.repeat(36))
  await page.getByText('36 characters. Collapsed, it shows about 40 on iOS.').waitFor()
  await field('notification.title').fill('x'.repeat(52))
  const cut = '52 characters. Collapsed, it shows about 50 on Android, about 40 on iOS, and about 50 in browsers.'
  await page.getByText(cut).waitFor()
  expect(await field('notification.title').getAttribute('aria-invalid')).not.toBe('true')

  await field('content').fill(`${'x'.repeat(40)} {{ userId }}`)
  await page.getByText(/^\d\d characters. Collapsed, it shows about 49 on Android.$/).waitFor()
  await page.getByRole('button', { name: 'Advanced' }).click()
  await page.getByRole('checkbox', { name: 'No notification' }).check()
  await poll(() => page.getByText(/characters\. Collapsed/).count()).toBe(0)
  expect(panel.faults).toEqual([])
})

test('the preview has the device, its view and its own light or dark', async () => {
  const page = await panel.open({ scheme: 'dark' })
  const preview = page.getByRole('region', { name: 'Preview' })
  const card = preview.getByRole('article', { name: 'Notification' })
  const lightness = () => card.evaluate((drawn) => getComputedStyle(drawn).colorScheme)
  await panel.visit(page, '/send?user=user-1')
  await page.locator('[data-field=content]').fill('Half the price')
  await page.getByRole('button', { name: 'Add button' }).click()
  await page.locator('[data-field="notification.actions[0].title"]').fill('Shop now')
  for (const platform of ['Android', 'iOS', 'Browser']) {
    await preview.getByText(platform, { exact: true }).click()
    await preview.getByText('Expanded').click()
    await preview.getByText('Shop now').waitFor()
    await preview.getByText('Collapsed').click()
    await preview.getByText('Shop now').waitFor({ state: 'detached' })
    await card.getByText('Half the price').waitFor()
  }
  expect(await lightness()).toBe('dark')
  await preview.getByTitle('Light').click()
  await poll(lightness).toBe('light')
  expect(await findBarriers(page)).toEqual([])
  expect(panel.faults).toEqual([])
})

test('a link is tried on a phone before anything else is written, and on a narrow screen, too', async () => {
  const page = await panel.open({ width: 390 })
  await panel.visit(page, '/send')
  await page.locator('[data-field="notification.clickUrl"]').fill('shop://orders/42')
  await page.getByRole('button', { name: 'Test on a phone' }).click()
  const dialog = page.getByRole('dialog', { name: 'Test the link on a phone' })
  await dialog.getByLabel('Search users').fill('user-1')
  const devices = dialog.getByRole('group', { name: 'user-1', exact: true })
  await devices
    .getByRole('checkbox', { name: /^Android/ })
    .first()
    .check()
  await dialog.getByRole('button', { name: 'Send a test to one device' }).click()
  await dialog.getByRole('button', { name: 'Tap it on the simulated phone' }).click()
  await dialog.getByText('Tapped. The app was given shop://orders/42').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')
  await page.locator('[data-field="notification.title"]').fill('A title that would name the draft at great length')
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  expect(panel.faults).toEqual([])
})
