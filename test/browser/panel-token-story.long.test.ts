import { expect, it } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()
const { demo } = panel
const page = await panel.open({ scheme: 'dark' })
const dialog = page.getByRole('dialog')

async function statusOf(token: string): Promise<number> {
  const response = await fetch(`${demo.baseUrl}/api/app`, { headers: { 'x-access-token': token } })
  return response.status
}

async function readSecret(): Promise<string> {
  return (await dialog.locator('[data-secret]').textContent()) as string
}

it('makes a token that works, and revokes it', async () => {
  await panel.visit(page, '/settings/tokens')
  await page.click('text="New token"')
  await dialog.getByLabel('Name').fill('A story <b>')
  await dialog.getByRole('button', { name: 'Create token' }).click()
  const token = await readSecret()
  expect(token).toMatch(/^[0-9a-f]{40}$/)
  expect(await statusOf(token)).toBe(200)
  await dialog.getByRole('button', { name: 'Done' }).click()
  await page.getByText('A story <b>', { exact: true }).waitFor()
  await poll(() => page.content()).not.toContain(token)

  await page.getByLabel('Revoke: A story <b>').click()
  await dialog.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('“A story <b>” revoked.').waitFor()
  await poll(() => statusOf(token)).toBe(401)

  await page.getByRole('link', { name: 'Audit log' }).click()
  await page.getByText('revoked the token A story <b>').waitFor()
  await page.getByText('created the token A story <b>').waitFor()
  expect(panel.faults).toEqual([])
})
