import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

interface Phone {
  name: string
  notifications: { title?: string; body?: string }[]
}

const panel = await openPanel()
const shownOn = async (name: string) => {
  const phones = (await panel.simulator('GET', '/phones')).body as Phone[]
  const shown = phones.find((phone) => phone.name === name)?.notifications ?? []
  return shown.filter(({ title }) => title === 'Only today').map(({ body }) => body)
}

test('a message to a segment is written, counted, tried, checked and sent once', async () => {
  const segment = { all: [{ name: 'userId', operator: 'equal_to', value: 'user-1' }] }
  await panel.call('POST', '/api/segments', { name: 'Only me', segment })
  await panel.call('POST', '/api/installations/attributes', { userId: 'user-1', attributes: { firstName: 'Mina' } })
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)

  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Saved segment' }).check()
  await field('target').getByRole('combobox').click()
  await page.getByRole('option', { name: /^Only me/ }).click()
  const count = async () => Number(await page.locator('[data-count]').getAttribute('data-count'))
  await poll(count).toBeGreaterThan(3)
  const devices = await count()

  await field('notification.title').fill('Only today')
  await field('content').fill('Hello ')
  await page.getByRole('button', { name: 'Insert variable: Message text' }).click()
  await page.getByLabel('Fallback value').fill('friend')
  await page.getByRole('button', { name: /^firstName/ }).click()
  await poll(() => field('content').inputValue()).toBe('Hello {{ user.firstName | default: "friend" }}')

  await field('notification.clickUrl').fill('https://shop.example/u/{{ user.firstName }}')
  await page.getByRole('button', { name: 'Data for the app' }).click()
  await field('data').fill('{"sale": 1}')

  // It is checked on the way; the number is to be confirmed at once, and nothing is sent before.
  await page.keyboard.press('Control+Enter')
  const confirm = page.getByRole('button', { name: `Send to ${devices} devices now` })
  await poll(() => confirm.evaluate((button) => button === document.activeElement)).toBe(true)
  await page.keyboard.press('Escape')
  await poll(() => page.locator('[data-planned]:focus').getAttribute('data-planned')).toBe(String(devices))
  await page.getByRole('button', { name: 'Choose a device' }).click()
  await page.getByLabel('Search users').fill('user-1')
  const phones = page.getByRole('group', { name: 'user-1', exact: true }).getByRole('checkbox', { name: /^iOS/ })
  await phones.first().check()
  await page.getByRole('button', { name: 'Send a test to one device' }).click()
  await page.getByText('The test is on its way to one device.').waitFor()
  await poll(() => shownOn('iPhone')).toEqual(['Hello Mina'])
  const results = page.getByRole('region', { name: 'What the devices report' })
  await results.getByText('It is on the device. A tap opens https://shop.example/u/Mina').waitFor()
  await results.getByRole('button', { name: 'Tap it on the simulated phone' }).click()
  await results.getByText('Tapped. The app was given https://shop.example/u/Mina').waitFor()
  expect(await shownOn('Browser')).toEqual([])
  expect(await findBarriers(page)).toEqual([])

  await page.keyboard.press('Control+Enter')
  // While the next page is on its way, the form is not emptied under the dialog.
  const { promise: isAskedFor, resolve: ask } = Promise.withResolvers<() => void>()
  await page.route('**/assets/MessagePage-*.js', (route) => ask(() => void route.continue()))
  await confirm.dblclick()
  const load = await isAskedFor
  expect(await field('notification.title').inputValue()).toBe('Only today')
  load()
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  await page.locator('h1:focus').getByText('Only today').waitFor()
  await page
    .getByText(/^Accepted|is on its way to/)
    .first()
    .waitFor()
  for (const name of ['Android phone', 'Browser', 'Android phone without Google services']) {
    await poll(() => shownOn(name)).toEqual(['Hello Mina'])
  }
  const id = page.url().split('/').at(-1)
  const { body } = await panel.call('GET', '/api/messages?limit=2')
  expect(body).toMatchObject({
    data: [
      { id, count: devices, data: { sale: 1 } },
      { clientId: 'panel-test', count: 1 },
    ],
  })
  expect(panel.faults).toEqual([])
})
