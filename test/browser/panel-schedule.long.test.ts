import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a message is scheduled, seen in the list, moved, sent before its time, and another one is cancelled', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  const schedule = async (title: string) => {
    await panel.visit(page, '/send')
    await page.getByRole('radio', { name: 'Specific users' }).check()
    await field('users').fill('user-1')
    await field('notification.title').fill(title)
    await field('content').fill('Later')
    await page.getByRole('radio', { name: 'Later' }).check()
    const at = page.getByLabel('Date and time')
    await at.fill('2020-01-01T09:00')
    await page.getByRole('button', { name: 'Check recipients' }).click()
    await page.getByText('This time has passed. Choose a later one.').waitFor()
    await poll(() => page.locator(':focus').getAttribute('data-field')).toBe('sendAt')
    await at.fill(localTime(2))
    await page.getByRole('button', { name: 'Check recipients' }).click()
    await page.getByRole('button', { name: /^Schedule for \d+ devices…$/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Schedule this message?' })
    await dialog.getByText(/^Goes .+\.$/).waitFor()
    expect(await findBarriers(page)).toEqual([])
    await dialog.getByRole('button', { name: /^Schedule for \d+ devices$/ }).click()
    await page.waitForURL(/\/messages\/[0-9a-f-]{36}$/)
    await page.getByText(/^Goes .+, in 2 hours\.$/).waitFor()
    return page.url().split('/').at(-1) as string
  }
  const stateOf = async (id: string) => (await panel.call('GET', `/api/messages/${id}`)).body

  const id = await schedule('Not yet')
  expect(await findBarriers(page)).toEqual([])
  expect((await stateOf(id)).state).toBe('scheduled')
  await page.getByRole('button', { name: 'Change time' }).click()
  const dialog = page.getByRole('dialog', { name: 'When should it go?' })
  await dialog.getByLabel('Date and time').fill(localTime(26))
  await dialog.getByRole('button', { name: 'Save time' }).click()
  await page.getByText(/^Goes .+, (tomorrow|in 2 days)\.$/).waitFor()

  const other = await schedule('Never')
  await panel.visit(page, '/messages?kind=scheduled')
  const rows = page.getByRole('table', { name: 'Scheduled messages' }).getByRole('row')
  await poll(async () => (await rows.allTextContents()).map((text) => /Not yet|Never/.exec(text)?.[0])).toEqual([
    undefined,
    'Never',
    'Not yet',
  ])
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('link', { name: 'Never' }).click()
  await page.getByRole('button', { name: 'Cancel send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel send' }).click()
  await page.getByText(/^Cancelled\. It was scheduled for .+, and nothing was sent\.$/).waitFor()
  expect(await stateOf(other)).toMatchObject({ state: 'cancelled' })

  await panel.visit(page, `/messages/${id}`)
  await page.getByRole('button', { name: 'Send now' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send now' }).click()
  await poll(async () => (await stateOf(id)).state).toBe('sent')
  await page.locator('[data-verdict]').waitFor()
  await panel.visit(page, '/messages?kind=scheduled')
  await page.getByText('Nothing is scheduled').waitFor()
  expect(panel.faults).toEqual([])
})

/** As the field of the browser takes it. */
function localTime(hoursAhead: number): string {
  const at = new Date(Date.now() + hoursAhead * 3_600_000 + 30_000)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
