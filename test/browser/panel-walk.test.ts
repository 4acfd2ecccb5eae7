import { expect, it } from 'vitest'
import { openPanel } from '../helpers/panel.ts'
import { countBytes } from './first-page.ts'
import { plantEverywhere, walk } from './panel-walk.ts'

const panel = await openPanel({ isShared: false })

it('loads at most 300 kB, zipped, for its first page', async () => {
  const bytes = await countBytes(await panel.open())
  expect(bytes).toBeGreaterThan(100_000)
  expect(bytes).toBeLessThan(300_000)
})

it('shows every page as text and without barriers', { timeout: 600_000 }, async () => {
  const paths = await plantEverywhere(panel)
  const page = await panel.open()
  // The rows of a table are drawn alike.
  const barriers = await walk(panel, page, { paths, go: panel.visit, leftOut: ['tbody tr:nth-child(n+4)'] })
  expect(barriers).toEqual([])
})
