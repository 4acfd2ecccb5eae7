import { expect, it } from 'vitest'
import { restartDelay } from './restart-delay.ts'

it('waits longer each time a process dies soon after its start, up to half a minute', () => {
  const waits: number[] = []
  let earlyEnds = 0
  for (let count = 0; count < 12; count++) {
    const { delayMs, earlyEnds: known } = restartDelay(500, earlyEnds)
    waits.push(delayMs)
    earlyEnds = known
  }
  expect(waits.slice(0, 5)).toEqual([100, 200, 400, 800, 1_600])
  expect(waits.at(-1)).toBe(30_000)
})

it('begins anew with a process that had lived for a minute', () => {
  expect(restartDelay(60_000, 8)).toEqual({ delayMs: 100, earlyEnds: 1 })
})
