import { expect, it } from 'vitest'
import { takeTurns } from './turns.ts'

it('others have their turn when work has taken long, and only then', async () => {
  const nextTurn = takeTurns()
  let others = 0
  setImmediate(() => others++)
  expect(nextTurn()).toBeUndefined()
  for (const end = performance.now() + 20; performance.now() < end; );
  await nextTurn()
  expect(others).toBe(1)
  expect(nextTurn()).toBeUndefined()
})
