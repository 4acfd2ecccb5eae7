import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a segment is built, its count moves, and it is saved; a user is found and tagged', async () => {
  const page = await panel.open()
  const count = async () => Number((await page.getByTestId('segment-count').textContent())?.replaceAll(',', ''))

  await panel.visit(page, '/segments/new')
  await poll(count).toBeGreaterThan(0)
  const everybody = await count()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Android' }).click()
  await poll(count).toBeLessThan(everybody)
  const onAndroid = await count()
  await page.getByRole('button', { name: 'Add a rule' }).click()
  await page.getByRole('combobox', { name: 'What' }).nth(1).click()
  await page.getByRole('option', { name: 'Last visit' }).click()
  await page.getByLabel('How many').fill('2')
  await poll(count).toBeLessThan(onAndroid)
  await page.getByText('Android users who visited in the last 2 days').waitFor()
  await page.getByLabel('Name').fill('Awake on Android')
  expect(await findBarriers(page)).toEqual([])
  await page.getByRole('button', { name: 'Save segment' }).click()
  await page.waitForURL(/\/segments\/[0-9a-f-]{36}$/)
  const segments = (await panel.call('GET', '/api/segments')).body as { name: string; segment: unknown }[]
  expect(segments.find(({ name }) => name === 'Awake on Android')?.segment).toEqual({
    all: [
      { name: 'deviceType', operator: 'equal_to', value: 'android' },
      { name: 'launchTime', operator: 'after', value: '48h' },
    ],
  })

  await panel.visit(page, '/users')
  await page.getByLabel('Find a user').fill('user-16')
  await page.getByRole('link', { name: 'user-16', exact: true }).click()
  await page.getByRole('heading', { name: 'user-16' }).waitFor()
  await page.getByRole('combobox', { name: 'Tag' }).fill('from-the-panel')
  await page.getByRole('button', { name: 'Add' }).first().click()
  await page.getByRole('button', { name: 'Remove the tag from-the-panel' }).waitFor()
  expect(await findBarriers(page)).toEqual([])
  for (const tab of ['Events', 'Messages', 'Promo codes']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
  }
  await panel.visit(page, '/users?search=from-the-panel')
  await page.getByRole('link', { name: 'user-16', exact: true }).waitFor()
  expect(panel.faults).toEqual([])
})
