import { expect, it } from 'vitest'
import { poll } from './helpers/runner/poll.ts'

it('waits until the assertion holds, also past answers that fail', async () => {
  let asked = 0
  const ask = () => {
    if (++asked === 1) throw new Error('not there yet')
    return { asked, more: true }
  }
  await poll(ask, { interval: 1 }).toMatchObject({ asked: 4 })
  expect(asked).toBe(4)
  await poll(async () => ++asked, { interval: 1 }).not.toBeLessThan(8)
  expect(asked).toBe(8)
})

it('takes no failed answer for one that an assertion is not about', async () => {
  let asked = 0
  const ask = () => {
    if (++asked < 3) throw new Error('not there yet')
    return 'there'
  }
  await poll(ask, { interval: 1 }).not.toBe('gone')
  expect(asked).toBe(3)
})
