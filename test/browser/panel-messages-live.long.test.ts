import type { PhoneView } from '@peyk/simulator'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const page = await panel.open()
const send = async (body: object): Promise<string> => {
  const { status, body: answer } = await panel.call('POST', '/api/push/toUsers', { user: 'user-1', ...body })
  expect(status, JSON.stringify(answer)).toBe(200)
  return answer.id
}
const step = (name: string) => page.locator(`[data-step=${name}]`).textContent()
const verdict = () => page.locator('[data-verdict]').textContent()

test('a message comes into the list by itself, its funnel moves, and it tells its story', async () => {
  await panel.visit(page, '/messages')
  await page.getByRole('table', { name: 'Messages' }).waitFor()
  const id = await send({ content: 'On its way', notification: { title: 'Order 4711' } })
  await page.getByRole('link', { name: 'Order 4711' }).click()
  await page.waitForURL(`**/messages/${id}`)
  await poll(() => step('shown')).toMatch(/^Shown[1-9]/)
  expect(await step('opened')).toMatch(/^Opened0/)
  await poll(verdict).toMatch(/delivered to \d of .*; nobody has opened it yet\.$/i)

  const phones: PhoneView[] = (await panel.simulator('GET', '/phones')).body
  const phone = phones.find(({ notifications }) => notifications.some(({ messageId }) => messageId === id))
  await panel.simulator('POST', `/phones/${phone?.id}/tap`, { messageId: id })
  await poll(() => step('opened')).toMatch(/^Opened1/)
  await poll(verdict).toMatch(/; opened on 1 so far\.$/)
  await page.getByRole('figure').getByText('Tapped').first().waitFor()

  // user-1 has devices without a phone behind them.
  await page.getByRole('button', { name: /^[1-9] waiting for confirmation/ }).click()
  await page.waitForURL(/state=sent/)

  await copyWithoutClipboard(id)

  await page.getByLabel('Delivery history of a user').fill('user-1')
  await page.getByRole('button', { name: 'Show history' }).click()
  const story = page.getByRole('dialog', { name: 'Delivery history of user-1' })
  await story.getByText('It was opened.').waitFor()
  expect(page.url()).toContain('user=user-1')
  expect(await findBarriers(page)).toEqual([])
  await page.keyboard.press('Escape')

  await panel.visit(page, '/messages')
  await page.getByLabel('Search messages').fill('no such words')
  await page.getByText('No matching messages').waitFor()
  await page.getByLabel('Search messages').fill(id)
  await page.getByRole('link', { name: 'Order 4711' }).waitFor()
  await poll(() => page.getByRole('row').count()).toBe(2)
})

test('a message that is sent while the list is on its way is in it', async () => {
  const early = await panel.open()
  await early.addInitScript(() => {
    const told: string[] = []
    Object.assign(window, { told })
    window.EventSource = class extends EventSource {
      constructor(address: string) {
        super(address)
        this.addEventListener('messages', ({ data }) => told.push(data))
      }
    }
  })
  const [isAsked, mayCome] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await early.route(/\/panel\/api\/apps\/[^/]+\/messages(\?|$)/, async (route) => {
    const response = await route.fetch()
    isAsked.resolve()
    await mayCome.promise
    await route.fulfill({ response })
  })
  const visited = panel.load(early, '/messages')
  await isAsked.promise
  // Nothing becomes of it afterwards, of which the list would be told.
  const { body } = await panel.call('POST', '/api/push/byQuery', {
    target: { deviceType: 'none' },
    content: 'Order 4712',
  })
  await early.waitForFunction((id) => JSON.stringify(Reflect.get(window, 'told')).includes(id), body.id)
  mayCome.resolve()
  await visited
  await early.getByRole('link', { name: 'Order 4712' }).waitFor()
})

/** Over plain http a page has no clipboard: it copies a selection, or leaves that to the keyboard. */
async function copyWithoutClipboard(id: string): Promise<void> {
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true }))
  const details = page.locator('section', { has: page.getByRole('heading', { name: 'Details' }) })
  // It says so for a moment only: the page itself watches, from before it is pressed.
  await Promise.all([
    page.waitForFunction(() => document.querySelector('button[aria-label="Copied"]') !== null),
    details.getByRole('button', { name: 'Copy' }).click(),
  ])
  await page.getByLabel('Delivery history of a user').press('Control+v')
  await poll(() => page.getByLabel('Delivery history of a user').inputValue()).toBe(id)

  await page.evaluate(() => Object.assign(document, { execCommand: () => false }))
  await details.getByRole('button', { name: 'Copy', exact: true }).click()
  await details.getByRole('button', { name: 'Selected: press Ctrl+C to copy it' }).waitFor()
  expect(await page.evaluate(() => String(getSelection()))).toBe(id)
}
