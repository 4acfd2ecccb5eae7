import { expect, test } from 'vitest'
import { readReceipt } from './read-receipt.ts'

const now = new Date(Date.UTC(2026, 10, 15))
const msgId = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'

test.each([
  ['DELIVERED', 'delivered'],
  ['SHOWN', 'shown'],
  ['OPENED', 'opened'],
  ['opened', 'opened'],
  ['ACTION_TAKEN', 'acted'],
  ['DISMISSED', 'dismissed'],
])('%s is a receipt of the kind %s', (actionType, kind) => {
  expect(readReceipt({ actionType, msgId, actionTs: Number(now) - 5 }, now)).toEqual({
    messageId: msgId,
    kind,
    actionId: '',
    happenedAt: new Date(Number(now) - 5),
  })
})

test('the action is kept for an action only', () => {
  expect(readReceipt({ actionType: 'ACTION_TAKEN', msgId, actionId: 'reply' }, now)?.actionId).toBe('reply')
  expect(readReceipt({ actionType: 'ACTION_TAKEN', msgId, actionId: 7 }, now)?.actionId).toBe('7')
  expect(readReceipt({ actionType: 'ACTION_TAKEN', msgId, actionId: { id: 1 } }, now)?.actionId).toBe('')
  expect(readReceipt({ actionType: 'OPENED', msgId, actionId: 'reply' }, now)?.actionId).toBe('')
})

test.each([['soon'], [undefined], [5], [Number(now) * 1000]])('a receipt with the time %j happened now', (actionTs) => {
  expect(readReceipt({ actionType: 'SHOWN', msgId, actionTs }, now)?.happenedAt).toEqual(now)
})

test.each([
  [{}],
  [{ actionType: 'SHOWN' }],
  [{ actionType: 'SHOWN', msgId: 'x' }],
  [{ actionType: 'SEEN', msgId }],
  [{ actionType: 5, msgId }],
  [{ actionType: 'constructor', msgId }],
])('%j is no receipt', (sent) => {
  expect(readReceipt(sent, now)).toBeUndefined()
})
