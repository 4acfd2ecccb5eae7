import { deliveryReasons, deliveryStates, noneOf } from '@peyk/contract'
import { expect, test } from 'vitest'
import { isHeld, isRecallable, isUnderWay, statusOf } from './message-status.ts'

const cancelledAt = 1
const of = (progress: object, rest: { cancelledAt?: number; recalledAt?: number; count?: number } = {}) =>
  statusOf({ count: 10, ...rest, progress: { total: 10, settled: 0, waiting: 0, ...progress } })

test('a message that is paused is so only when some are kept back', () => {
  expect(of({ waiting: 7, inFlight: 7, paused: true })).toBe('pausing')
  expect(of({ waiting: 7, inFlight: 3, paused: true })).toBe('paused')
  expect(of({ waiting: 0, settled: 10 })).toBe('done')
})

test('a message that waits because all sending is stopped can be paused and cancelled, one that was paused is so still', () => {
  expect(of({ waiting: 7, stopped: true })).toBe('stopped')
  expect(of({ waiting: 7, stopped: true, paused: true })).toBe('paused')
  expect([isUnderWay('stopped'), isHeld('stopped')]).toEqual([true, false])
})

test('a message that is cancelled is stopping while some are with a provider, and too late when all were', () => {
  expect(of({ waiting: 4, inFlight: 4 }, { cancelledAt })).toBe('stopping')
  expect(of({ settled: 10, cancelled: 6 }, { cancelledAt })).toBe('cancelled')
  expect(of({ settled: 10 }, { cancelledAt })).toBe('tooLate')
  expect(of({}, { cancelledAt, count: 0 })).toBe('cancelled')
})

test('what is cancelled cannot be operated any more, what is pausing can', () => {
  expect([isUnderWay('stopping'), isUnderWay('tooLate'), isUnderWay('pausing')]).toEqual([false, false, true])
})

test('a message of which only inboxes are left is paused with them', () => {
  expect(of({ settled: 10, inInbox: 4, paused: true })).toBe('paused')
  expect(of({ settled: 10, paused: true })).toBe('paused')
})

test('a message that was recalled is so, whatever its cancellation stopped, and cannot be recalled again', () => {
  for (const progress of [{ waiting: 4, inFlight: 4 }, { settled: 10 }, { settled: 10, cancelled: 6 }])
    expect(of(progress, { cancelledAt, recalledAt: 1 })).toBe('recalled')
  const none = { states: noneOf(deliveryStates), reasons: noneOf(deliveryReasons) }
  const sent = { ...none, states: { ...none.states, sent: 1 } }
  const unclear = { ...none, reasons: { ...none.reasons, unknown: 1 } }
  expect([none, sent, unclear, { ...sent, recalledAt: 1 }].map(isRecallable)).toEqual([false, true, true, false])
  expect(isUnderWay('recalled')).toBe(false)
})
