import type { PhoneView } from '@peyk/simulator'
import { expect, test } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const page = await panel.open()

test('variables, buttons and users are named as people know them', async () => {
  // The id that the Send page gives.
  const actions = [{ id: 'action-1', title: 'Track it' }]
  const content = 'Hello {{ user.firstName | default: "friend" }}'
  const notification = { title: 'Order 4712', body: content, actions }
  const { body: sent } = await panel.call('POST', '/api/push/toUsers', { user: 'user-1', content, notification })
  const { id } = sent
  const withIt = async () => {
    const phones: PhoneView[] = (await panel.simulator('GET', '/phones')).body
    return phones.find(({ notifications }) => notifications.some(({ messageId }) => messageId === id))
  }
  await poll(withIt).toBeTruthy()
  const action = { messageId: id, actionId: 'action-1' }
  await panel.simulator('POST', `/phones/${(await withIt())?.id}/action`, action)
  await poll(async () => (await panel.call('GET', `/api/messages/${id}`)).body.actions).toEqual({ 'action-1': 1 })
  await panel.visit(page, `/messages/${id}`)
  const preview = page.getByRole('article')
  await preview.getByText('firstName', { exact: true }).waitFor()
  expect(await preview.textContent()).not.toContain('{{')
  const results = page.locator('section', { has: page.getByRole('heading', { name: 'After opening' }) })
  await results.getByText('Track it').waitFor()
  expect(await results.textContent()).not.toContain('action-1')

  const ask = async (user: string) => {
    await page.getByLabel('Delivery history of a user').fill(user)
    await page.getByRole('button', { name: 'Show history' }).click()
  }
  await ask('user-1')
  await page.getByRole('dialog').getByText('The button “Track it” was pressed.').waitFor()
  await page.keyboard.press('Escape')
  await ask('user-l')
  await page.getByRole('dialog').getByText('No user has the id “user-l”.').waitFor()
  expect(await page.getByRole('link', { name: 'Open user' }).count()).toBe(0)
  expect(panel.faults).toEqual([])
})

test('the page of a user says which channel a message was for', async () => {
  const subscriptions = ['public/harvest']
  await panel.call('POST', '/api/installations', {
    deviceType: 'web',
    userId: 'on-harvest',
    isGuest: false,
    subscriptions,
  })
  const body = { user: '*', channel: 'harvest', content: 'Apples are in' }
  const { status, body: sent } = await panel.call('POST', '/api/push/toUsers', body)
  expect(status).toBe(200)
  // The page of a user does not ask again.
  const went = async () => (await panel.call('GET', `/api/messages/${sent.id}/deliveries`)).body.data
  await poll(async () => (await went()).length).toBe(1)
  await panel.visit(page, '/users/on-harvest')
  await page.getByRole('tab', { name: 'Messages' }).click()
  await page.getByText('to the channel harvest').waitFor()
  expect(await page.getByText('to everybody').count()).toBe(0)
})
