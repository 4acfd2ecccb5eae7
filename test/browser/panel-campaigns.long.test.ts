import type { PhoneView } from '@peyk/simulator'
import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const page = await panel.open()

test('"opened" is one figure: in the list, on the campaign’s page and on the message’s page', async () => {
  const actions = [{ id: 'track', title: 'Track it' }]
  const { body } = await panel.call('POST', '/api/push/toUsers', {
    user: 'user-1',
    content: 'Half the price',
    trackId: 'one-figure',
    notification: { title: 'Half the price', actions },
  })
  await panel.call('POST', '/api/campaigns', { trackId: 'one-figure', name: 'One figure' })
  const withIt = async () => {
    const phones: PhoneView[] = (await panel.simulator('GET', '/phones')).body
    return phones.filter(({ notifications }) => notifications.some(({ messageId }) => messageId === body.id))
  }
  await poll(async () => (await withIt()).length).toBe(4)
  const [first, second] = await withIt()
  await panel.simulator('POST', `/phones/${first?.id}/tap`, { messageId: body.id })
  await panel.simulator('POST', `/phones/${second?.id}/action`, { messageId: body.id, actionId: 'track' })
  const states = async () => (await panel.call('GET', `/api/messages/${body.id}`)).body.states
  await poll(states).toMatchObject({ delivered: 4, opened: 1, acted: 1 })

  const step = page.locator('[data-step=opened]')
  await panel.visit(page, '/campaigns')
  await poll(() => page.getByRole('row').filter({ hasText: 'One figure' }).textContent()).toContain('50%')
  await page.getByRole('columnheader', { name: 'Opened' }).getByText('Opened').hover()
  await page.getByRole('tooltip').getByText('as a share of those that the device confirmed').waitFor()
  await panel.visit(page, '/campaigns/one-figure')
  await page.locator('section').filter({ hasText: 'Opened50%2 deliveries' }).first().waitFor()
  await poll(() => step.textContent()).toMatch(/^Opened250% of delivered/)
  expect(await findBarriers(page)).toEqual([])
  await panel.visit(page, `/messages/${body.id}`)
  await poll(() => step.textContent()).toMatch(/^Opened250% of delivered/)
  expect(panel.faults).toEqual([])
})
