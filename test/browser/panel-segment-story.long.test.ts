import { expect, test } from 'vitest'
import { findBarriers, openPanel, poll } from '../helpers/panel.ts'

const panel = await openPanel()

test('a segment is built, its count moves, and it is saved', async () => {
  const page = await panel.open()
  const count = async () => Number((await page.getByTestId('segment-count').textContent())?.replaceAll(',', ''))

  await panel.visit(page, '/segments/new')
  await poll(count).toBeGreaterThan(0)
  const everybody = await count()
  await page.getByRole('combobox', { name: 'Value' }).click()
  await page.getByRole('option', { name: 'Android' }).click()
  await poll(count).toBeLessThan(everybody)
  const onAndroid = await count()
  await page.getByRole('button', { name: 'Add rule' }).click()
  await page.getByRole('option', { name: 'Last visit' }).click()
  await page.getByLabel('How many').fill('2')
  await poll(count).toBeLessThan(onAndroid)
  await page.getByText('Android devices that visited in the last 2 days').waitFor()
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

  await panel.visit(page, '/segments')
  const table = await page.getByRole('table', { name: 'Segments' }).boundingBox()
  const search = await page.getByLabel('Search segments').boundingBox()
  expect((table?.y ?? 0) - (search?.y ?? 0)).toBeLessThan(100)
  expect(panel.faults).toEqual([])
})
