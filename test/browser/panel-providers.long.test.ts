import type { Provider } from '@peyk/contract'
import { expect, it } from 'vitest'
import { findBarriers, openPanel } from '../helpers/panel.ts'

const panel = await openPanel({ isShared: false })
const page = await panel.open()
const card = page.getByRole('region', { name: 'SMS gateway' })
const dialog = page.getByRole('dialog')

async function readCheckedAt(): Promise<number | undefined> {
  const { body } = await panel.call('GET', '/api/providers')
  return (body as Provider[]).find(({ provider }) => provider === 'sms')?.check?.at
}

it('says of credentials what their last check found, and nothing of it about new ones', async () => {
  await panel.visit(page, '/settings/sms')
  await card.getByText('Checked', { exact: true }).waitFor()
  const pressedAt = Date.now()
  await card.getByRole('button', { name: 'Check' }).click()
  await card.getByText('The credentials are valid.').waitFor()
  // It is "now" for half a second.
  await card.getByText(/^Checked (now|\d+ seconds? ago)$/).waitFor()
  expect(await readCheckedAt()).toBeGreaterThanOrEqual(pressedAt)

  await card.getByRole('button', { name: 'Change credentials' }).click()
  await dialog.getByText('Another gateway (HTTP)').click()
  await dialog.getByLabel('URL').fill('https://sms.invalid/send')
  await dialog.getByLabel('Body').fill('{"to":"{{to}}","text":"{{text}}"}')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('Not saved: the provider could not be reached, and the current credentials work.').waitFor()
  await dialog.getByLabel('Save anyway').check()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await card.getByText('Check failed', { exact: true }).waitFor()
  await card.getByText('The provider could not be reached. The credentials may still be valid.').waitFor()
  await card.getByText('SMS gateway could not be reached: its name could not be resolved.').waitFor()
  expect(await card.getByText('The credentials are valid.').count()).toBe(0)
  expect(await findBarriers(page)).toEqual([])

  await panel.load(page, '/settings/sms')
  await card.getByText('Check failed', { exact: true }).waitFor()
  await card.getByText('SMS gateway could not be reached: its name could not be resolved.').waitFor()
  expect(panel.faults).toEqual([])
})
