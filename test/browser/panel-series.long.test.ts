import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a message is made to repeat, and its series is seen, paused, resumed, skipped and ended', async () => {
  const page = await panel.open()
  const field = (name: string) => page.locator(`[data-field="${name}"]`)
  await panel.visit(page, '/send')
  await page.getByRole('radio', { name: 'Specific users' }).check()
  await field('users').fill('user-1')
  await field('notification.title').fill('Again and again')
  await field('content').fill('The offers of the week')
  await page.getByRole('radio', { name: 'Later' }).check()
  await page.getByLabel('Repeat', { exact: true }).selectOption({ label: 'By a rule' })
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('Enter a rule, such as').waitFor()
  await field('repeat.rule').fill('FREQ=MINUTELY')
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByText('repeats hourly at most').first().waitFor()
  await page.getByLabel('Repeat', { exact: true }).selectOption({ label: 'Every week' })
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
  for (const day of days)
    await page.getByRole('checkbox', { name: day }).setChecked(day === 'Monday' || day === 'Thursday')
  await poll(() => page.locator('[data-moments] li').count()).toBe(5)
  await poll(async () =>
    (await page.locator('[data-moments] li').allTextContents()).every((text) => /^(Monday|Thursday)/.test(text)),
  ).toBe(true)
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Check recipients' }).click()
  await page.getByRole('button', { name: /^Schedule for \d+ devices…$/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Schedule this message?' })
  await dialog.getByText(/^Every week on Monday and Thursday at /).waitFor()
  await dialog.getByRole('button', { name: /^Schedule for \d+ devices$/ }).click()
  await page.waitForURL(/\/series\/[0-9a-f-]{36}$/)
  const id = page.url().split('/').at(-1) as string
  const read = async () => (await panel.call('GET', `/api/series/${id}`)).body
  await poll(() => page.locator('[data-next] li').count()).toBe(5)
  expect(await findBarriers(page)).toEqual([])

  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('While it is paused, these are not sent.').waitFor()
  expect((await read()).state).toBe('paused')
  await page.getByRole('button', { name: 'Resume', exact: true }).click()
  await page.getByText('Each can be changed or cancelled on its own page.').waitFor()
  const before = (await read()).next
  await page.getByRole('button', { name: 'Skip next' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Skip next' }).click()
  await page.getByText('Skipped', { exact: true }).waitFor()
  expect((await read()).next[0]).toEqual(before[1])

  await panel.visit(page, '/messages?kind=scheduled')
  const series = page.getByRole('table', { name: 'Repeating messages' }).getByRole('row')
  await poll(() => series.count()).toBe(2)
  await poll(() => page.getByRole('table', { name: 'Scheduled messages' }).getByRole('row').count()).toBe(6)
  expect(await findBarriers(page)).toEqual([])
  await panel.visit(page, `/messages/${before[1].id}`)
  await page.getByRole('link', { name: 'Repeating message', exact: true }).click()
  await page.getByRole('button', { name: 'End', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End', exact: true }).click()
  await poll(async () => (await read()).state).toBe('ended')
  await page.getByText('Ended', { exact: true }).waitFor()
  expect(panel.faults).toEqual([])
})
