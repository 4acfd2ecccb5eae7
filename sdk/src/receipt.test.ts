import { expect, it } from 'vitest'
import { influenceOf, isDirect } from './receipt.ts'

const hour = 3_600_000
const last = { actionType: 'OPENED' as const, msgId: 'm1', actionTs: 0, direct: true }

it('influences what happens within twelve hours', () => {
  expect(influenceOf(last, 12 * hour - 1)).toBe(last)
  expect(influenceOf(last, 12 * hour)).toBeUndefined()
  expect(influenceOf(undefined, 0)).toBeUndefined()
})

it('is direct when the app was opened by it', () => {
  const direct = (['SHOWN', 'OPENED', 'ACTION_TAKEN', 'DISMISSED'] as const).map((actionType) =>
    isDirect({ actionType, msgId: 'm1', actionTs: 0 }),
  )
  expect(direct).toEqual([false, true, true, false])
})
