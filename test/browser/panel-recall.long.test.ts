import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const page = await panel.open()

test('a message that was a mistake is recalled: the page says first what that can do, and then what it did', async () => {
  const { body } = await panel.call('POST', '/api/push/toUsers', {
    user: 'user-1',
    content: 'Wrong',
    notification: { title: 'A mistake' },
  })
  const isShown = async () => {
    const { body: phones } = await panel.simulator('GET', '/phones')
    return (phones as { notifications: { messageId: string }[] }[]).some(({ notifications }) =>
      notifications.some(({ messageId }) => messageId === body.id),
    )
  }
  await poll(isShown).toBe(true)
  await panel.visit(page, `/messages/${body.id}`)
  await page.getByRole('button', { name: 'Recall' }).click()
  const question = page.getByRole('dialog', { name: 'Recall this message?' })
  await question.getByText('An SMS cannot be taken back.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await question.getByRole('button', { name: 'Recall message' }).click()
  await page.getByText('Recalled', { exact: true }).waitFor()
  await page
    .getByRole('alert')
    .getByText(/told to take it away/)
    .first()
    .waitFor()
  await poll(isShown).toBe(false)
  expect(await page.getByRole('button', { name: 'Recall' }).count()).toBe(0)
  expect((await panel.call('GET', `/api/messages/${body.id}`)).body).toMatchObject({ state: 'recalled' })
})
