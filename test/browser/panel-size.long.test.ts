import { expect, it } from 'vitest'
import { openPanel, poll } from '../helpers/panel.ts'
import { countBytes } from './first-page.ts'

const panel = await openPanel()

it('loads at most 300 kB, zipped, for its first page', async () => {
  const bytes = await countBytes(await panel.open())
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(300_000)
})

it.each([
  ['en', ['Inter']],
  ['fa', ['Inter', 'Vazirmatn']],
] as const)('has the fonts that a page in %s needs, and no other', async (language, expected) => {
  const page = await panel.open({ language })
  await poll(() =>
    page.evaluate(() =>
      [...document.fonts].flatMap(({ status, family }) => (status === 'loaded' ? family : [])).sort(),
    ),
  ).toEqual(expected)
})
