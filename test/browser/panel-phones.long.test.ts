import { expect, test } from 'vitest'
import { openPanel } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('what a phone without a network or a busy provider did not get comes later', async () => {
  const page = await panel.open()
  await panel.visit(page, '/phones')
  const phone = (kind: string) => page.getByRole('region', { name: `${kind}, user-1` })
  const iphoneOnline = phone('iPhone').getByRole('switch', { name: 'Online' })
  await iphoneOnline.click()
  await phone('iPhone').getByLabel('Offline').waitFor()
  const fcm = page.getByRole('combobox', { name: 'FCM' })
  await fcm.click()
  await page.getByRole('option', { name: 'Too many requests' }).click()
  await page.getByText('Answers 429').waitFor()
  const body = { user: 'user-1', content: 'On its way', notification: { title: 'Order 43' } }
  expect((await panel.call('POST', '/api/push/toUsers', body)).status).toBe(200)
  await phone('Browser').getByText('Order 43').waitFor()
  for (const kind of ['iPhone', 'Android']) expect(await phone(kind).getByText('Order 43').count()).toBe(0)

  await iphoneOnline.click()
  await phone('iPhone').getByText('Order 43').waitFor()
  await fcm.click()
  await page.getByRole('option', { name: 'Works' }).click()
  await phone('Android').getByText('Order 43').waitFor()
  expect(panel.faults).toEqual([])
})
