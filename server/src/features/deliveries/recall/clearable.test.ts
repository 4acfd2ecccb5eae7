import { deliveryStates } from '@peyk/contract'
import { expect, test } from 'vitest'
import type { DeliveryGroup } from '../progress/count-deliveries.ts'
import { clearableStates, countClearable } from './clearable.ts'

const rows: DeliveryGroup[] = [
  ...deliveryStates.filter((state) => state !== 'ended').map((state) => ({ state, reason: null, count: 1 })),
  { state: 'ended', reason: 'unknown', count: 10 },
  { state: 'ended', reason: 'gone', count: 100 },
  { state: 'ended', reason: 'cancelled', count: 1_000 },
]

test.each([
  ['message', {}, ['sent', 'delivered', 'shown', 'opened', 'acted', 'dismissed'], 16],
  ['message', { silent: true as const }, ['sent', 'delivered', 'shown', 'opened', 'acted', 'dismissed'], 16],
  ['notification', {}, ['sent', 'delivered', 'shown'], 13],
  ['notification', { silent: true as const }, [], 0],
] as const)('a %s %o may be on a device in these states', (product, body, states, count) => {
  expect(clearableStates({ product, body })).toEqual(states)
  expect(countClearable({ product, body }, rows)).toBe(count)
})
