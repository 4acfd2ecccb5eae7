import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a message is scheduled for the local time of its users, moved, and stopped after it has started', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const day = dayAhead()
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill('user-1')
  await field('notification.title').fill('Good morning')
  await field('content').fill('Hello')
  await page.getByRole('radio', { name: 'At each user’s local time' }).check()
  await page.getByLabel('Date and time').fill('2020-01-01T09:00')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('This time has passed. Choose a later one.').waitFor()
  await page.getByLabel('Date and time').fill(`${day}T09:00`)
  await page.getByRole('combobox', { name: 'Where that time has already passed' }).click()
  await page.getByRole('option', { name: 'Leave those users out' }).click()
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByRole('button', { name: /^Schedule for \d+ devices…$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule this message?' })
  await dialog.getByText(/^Goes .+ 09:00 local time\.$/).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: /^Schedule for \d+ devices$/ }).click()
  await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
  await page.getByText(/^Goes .+ 09:00 local time, .+\.$/).waitFor()
  await page.getByText('Users whose time has passed when it starts are left out.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  const id = page.url().split('/').at(-1) as string
  const read = async () => (await panel.call('GET', `/api/messages/${id}`)).body
  expect(await read()).toMatchObject({ state: 'scheduled', localTime: { local: `${day}T09:00`, late: 'skip' } })

  await panel.visit(page, '/messages?kind=scheduled')
  await page
    .getByText(/09:00 local time/)
    .last()
    .waitFor()
  await panel.visit(page, `/messages/${id}`)
  await page.getByRole('button', { name: 'Change time' }).click()
  const move = page.getByRole('dialog', { name: 'When should it go?' })
  await move.getByLabel('At each user’s local time').fill(`${day}T10:00`)
  await move.getByRole('button', { name: 'Save time' }).click()
  await page.getByText(/^Goes .+ 10:00 local time, .+\.$/).waitFor()
  expect((await read()).localTime).toMatchObject({ local: `${day}T10:00`, late: 'skip' })

  // It has started when the first clocks on earth show it, and user-1 is hours behind them.
  await panel.call('PUT', `/api/messages/${id}`, { sendAt: { local: clockIn(8), zone: 'UTC' } })
  await poll(async () => (await read()).progress.waiting).toBeGreaterThan(0)
  await panel.visit(page, `/messages/${id}`)
  await page.getByText('Waiting for the users’ local time').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click()
  await poll(async () => (await read()).state).toBe('cancelled')
  expect(panel.faults).toEqual([])
})

/** Three days from now. */
function dayAhead(): string {
  return new Date(Date.now() + 72 * 3_600_000).toISOString().slice(0, 10)
}

/** What clocks in UTC show in so many hours. */
function clockIn(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
}
