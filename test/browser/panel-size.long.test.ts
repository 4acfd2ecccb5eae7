import { expect, it } from 'vitest'
import { openPanel } from '../helpers/panel.ts'
import { countBytes } from './first-page.ts'

const panel = await openPanel()

it('loads at most 300 kB, zipped, for its first page', async () => {
  const bytes = await countBytes(await panel.open())
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(300_000)
})
