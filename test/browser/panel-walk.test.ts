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
  const walkAlong = async (own: string[]) =>
    walk(panel, await panel.open(), { paths: own, go: panel.visit, isBrief: true })
  const isEven = (_path: string, index: number) => index % 2 === 0
  const isOdd = (_path: string, index: number) => index % 2 === 1
  expect(await Promise.all([walkAlong(paths.filter(isEven)), walkAlong(paths.filter(isOdd))])).toEqual([[], []])
})
