import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })

test('all sending is stopped with one button, every page says so, and it is resumed from there', async () => {
  const page = await panel.open()
  await panel.visit(page, '/messages')
  await page.getByRole('button', { name: 'Stop all sending' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('New messages are accepted and wait, too.').waitFor()
  expect(await findBarriers(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Stop all sending' }).click()
  const bar = page.getByRole('status').filter({ hasText: 'All sending is stopped' })
  await bar.waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent)
  await poll(focused).toBe('Resume')
  await panel.call('POST', '/api/push/byQuery', { target: {}, content: 'Later', notification: { title: 'A late one' } })
  await panel.visit(page, '/overview')
  await bar.getByText(/Waiting: one message to \d+ devices/).waitFor()
  await page.getByText('Stopped', { exact: true }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  await bar.getByRole('button', { name: 'Resume' }).click()
  await dialog.getByText(/One message to \d+ devices will go out/).waitFor()
  await dialog.getByRole('button', { name: 'Resume' }).click()
  // This goes again, what is looked at after it stays.
  await page.getByText(/^All sending is resumed: one message to/).waitFor()
  await bar.waitFor({ state: 'detached' })
  await poll(focused).toBe('content')
  expect(panel.faults).toEqual([])
})
