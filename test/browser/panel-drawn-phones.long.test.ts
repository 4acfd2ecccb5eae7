import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

interface Counts {
  states: Record<string, number>
  actions: Record<string, number>
}

test('what is sent shows on the drawn phones, and what is done there is counted', async () => {
  const page = await panel.open()
  await panel.visit(page, '/phones')
  const phone = (kind: string) => page.getByRole('region', { name: `${kind}, user-1` })
  const actions = [{ id: 'track', title: 'Track it' }]
  const send = async (title: string): Promise<string> => {
    const body = { user: 'user-1', content: 'On its way', notification: { title, actions } }
    return ((await panel.call('POST', '/api/push/toUsers', body)).body as { id: string }).id
  }

  const id = await send('Order 42')
  for (const kind of ['Android', 'iPhone', 'Browser', 'Android without Google'])
    await phone(kind).getByText('Order 42').waitFor()
  expect(await findBarriers(page)).toEqual([])

  await phone('Android').getByText('Order 42').click()
  await phone('Browser').getByRole('button', { name: 'Show expanded' }).click()
  await phone('Browser').getByRole('button', { name: 'Track it' }).click()
  await phone('iPhone').getByRole('button', { name: 'Dismiss' }).focus()
  await page.keyboard.press('Enter')
  await phone('Android without Google').getByRole('button', { name: 'Dismiss' }).click()
  await poll(() => page.getByText('Order 42').count()).toBe(0)
  await poll(async () => {
    const { states, actions } = (await panel.call('GET', `/api/messages/${id}`)).body as Counts
    return [states.opened, states.acted, states.dismissed, actions]
  }).toEqual([1, 1, 2, { track: 1 }])
  expect(panel.faults).toEqual([])
})
