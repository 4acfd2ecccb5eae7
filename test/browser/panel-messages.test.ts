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
const step = (hint: string) => page.getByRole('listitem').filter({ hasText: hint }).textContent()

test('a message comes into the list by itself, its funnel moves, and it tells its story', async () => {
  await panel.visit(page, '/messages')
  await page.getByRole('table', { name: 'Messages' }).waitFor()
  const id = await send({ content: 'On its way', notification: { title: 'Order 4711' } })
  await page.getByRole('link', { name: 'Order 4711' }).click()
  await page.waitForURL(`**/messages/${id}`)
  await poll(() => step('The device showed the notification')).toMatch(/drawn\. Of those that were delivered\.[1-9]/)
  expect(await step('Somebody tapped it')).toMatch(/delivered\.0/)

  const phones: PhoneView[] = (await panel.simulator('GET', '/phones')).body
  const phone = phones.find(({ notifications }) => notifications.some(({ messageId }) => messageId === id))
  await panel.simulator('POST', `/phones/${phone?.id}/tap`, { messageId: id })
  await poll(() => step('Somebody tapped it')).toMatch(/delivered\.1/)
  await page.getByRole('figure').getByText('Tapped').first().waitFor()

  // user-1 has devices without a phone behind them.
  await poll(() => step('The device has not confirmed it')).toMatch(/sent\.Show devices[1-9]/)
  await page.getByRole('button', { name: 'Show devices' }).click()
  await page.waitForURL(/state=sent/)

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
