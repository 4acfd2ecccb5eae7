import type { Stall } from '@peyk/contract'
import { expect, test } from 'vitest'
import type { WaitingMoment } from '../local-time/read-waiting-moments.ts'
import type { DeliveryGroup, WaitingGroup } from './count-deliveries.ts'
import { measureProgress } from './measure-progress.ts'

const start = Date.UTC(2026, 10, 15)
const at = (seconds: number) => new Date(start + seconds * 1000)
const sent = (count: number): DeliveryGroup => ({ state: 'sent', reason: null, count })
const queued = (listed: number): WaitingGroup => ({ state: 'queued', listed, isOpen: false })
const open: WaitingGroup = { state: 'queued', listed: 0, isOpen: true }

function measure(
  recipients: number,
  rows: DeliveryGroup[],
  waiting: WaitingGroup[],
  rest: {
    now?: number
    pausedAt?: number
    finishedAt?: number
    stalls?: Stall[]
    moments?: WaitingMoment[]
    perMinute?: number
    releasedPerSecond?: number
    hasWinner?: boolean
  } = {},
) {
  const { now = 10, pausedAt, finishedAt, stalls, moments, perMinute, releasedPerSecond, hasWinner } = rest
  const moment = (seconds: number | undefined) => (seconds === undefined ? null : at(seconds))
  return measureProgress(
    {
      recipients,
      paused_at: moment(pausedAt),
      stopped_at: null,
      finished_at: moment(finishedAt),
      body: {
        ...(perMinute !== undefined && { throttle: { perMinute } }),
        ...(hasWinner && { winner: { by: 'opened', after: '4h', testShare: 20, otherwise: 'A' } }),
      },
    },
    { rows, waiting, startedAt: rows.length > 0 ? at(0) : undefined },
    at(now),
    { stalls, ...(moments && { moments }), releasedPerSecond },
  )
}

test('before the first delivery there is no rate', () => {
  expect(measure(1000, [], [open])).toEqual({ total: 1000, settled: 0, waiting: 1000 })
})

test('a message with a throttle takes as long as its pace, or as what was let go lately when that is less', () => {
  const eta = (releasedPerSecond?: number) =>
    measure(1000, [sent(400)], [open], {
      perMinute: 600,
      ...(releasedPerSecond !== undefined && { releasedPerSecond }),
    }).etaSeconds
  expect([eta(), eta(10), eta(9.5), eta(20), eta(0)]).toEqual([60, 60, 60, 60, 60])
  expect([eta(5), eta(0.5)]).toEqual([120, 1200])
})

test('the wait for the winner of a test is not a matter of speed', () => {
  expect(measure(1000, [sent(200)], [queued(800)], { hasWinner: true })).not.toHaveProperty('etaSeconds')
  expect(measure(1000, [sent(200)], [queued(800)])).toHaveProperty('etaSeconds')
})

test('the rate is what was settled since the first, and the rest takes as long at that rate', () => {
  expect(measure(1000, [sent(300), { state: 'ended', reason: 'gone', count: 100 }], [open], { now: 20 })).toEqual({
    total: 1000,
    settled: 400,
    waiting: 600,
    ratePerSecond: 20,
    etaSeconds: 30,
    startedAt: start,
  })
})

test('what waits in the inbox is settled, what is outside the channel was never waited for', () => {
  const rows: DeliveryGroup[] = [
    { state: 'queued', reason: null, count: 5 },
    { state: 'ended', reason: 'not-in-channel', count: 7 },
  ]
  expect(measure(8, rows, [queued(3)])).toMatchObject({ total: 8, settled: 5, waiting: 3 })
})

test('while a provider takes nothing nobody knows how long the rest takes', () => {
  const stalls: Stall[] = [{ provider: 'fcm', since: start + 3_000, reason: 'name-not-found' }]
  expect(measure(10, [sent(4)], [queued(6)], { stalls })).toEqual({
    total: 10,
    settled: 4,
    waiting: 6,
    ratePerSecond: 0.4,
    waitingFor: stalls,
    startedAt: start,
  })
  expect(measure(10, [sent(4)], [queued(6)], { stalls, pausedAt: 5 })).not.toHaveProperty('waitingFor')
  expect(measure(4, [sent(4)], [], { stalls })).not.toHaveProperty('waitingFor')
})

test('a message with a throttle says its pace, and the rest takes as long as that allows', () => {
  const rest = { now: 2, perMinute: 120 }
  expect(measure(1000, [], [open], rest)).toEqual({
    total: 1000,
    settled: 0,
    waiting: 1000,
    perMinute: 120,
    etaSeconds: 500,
  })
  expect(measure(1000, [sent(1)], [queued(999)], rest)).toMatchObject({ ratePerSecond: 0.5, etaSeconds: 500 })
  expect(measure(10, [sent(4)], [queued(6)], { ...rest, pausedAt: 1 })).not.toHaveProperty('etaSeconds')
  expect(measure(4, [sent(4)], [], { ...rest, finishedAt: 2 })).not.toHaveProperty('etaSeconds')
})

test('a paused message has no rate', () => {
  expect(measure(10, [sent(4)], [queued(6)], { pausedAt: 5 })).toEqual({
    total: 10,
    settled: 4,
    waiting: 6,
    startedAt: start,
    paused: true,
  })
})

test('a finished one keeps its rate, whenever it is asked for', () => {
  for (const now of [10, 10_000]) {
    expect(measure(100, [sent(98)], [], { now, finishedAt: 4 })).toEqual({
      total: 100,
      settled: 98,
      waiting: 0,
      ratePerSecond: 24.5,
      startedAt: start,
      finishedAt: start + 4000,
    })
  }
})

test('a personal one that is done has no rate', () => {
  expect(measure(2, [sent(2)], [])).toEqual({ total: 2, settled: 2, waiting: 0, startedAt: start })
})

test('what was cancelled is settled, and counted apart', () => {
  const cancelled: WaitingGroup = { state: 'cancelled', listed: 6, isOpen: false }
  expect(measure(10, [sent(4)], [cancelled])).toMatchObject({ settled: 10, waiting: 0, cancelled: 6 })
  const rows: DeliveryGroup[] = [sent(1), { state: 'ended', reason: 'cancelled', count: 3 }]
  expect(measure(10, rows, [cancelled])).toMatchObject({ settled: 10, waiting: 0, cancelled: 9 })
})

test('what a process has taken is in flight, without what of it has an end', () => {
  const taken: WaitingGroup = { state: 'queued', listed: 9, held: 5, isOpen: false }
  expect(measure(10, [sent(3)], [taken])).toMatchObject({ waiting: 7, inFlight: 3 })
  expect(measure(10, [sent(3)], [{ ...taken, held: 0 }])).not.toHaveProperty('inFlight')
  expect(measure(20, [sent(3)], [{ ...taken, isOpen: true }])).toMatchObject({ waiting: 17, inFlight: 5 })
})

test('what waits for a local time says until when, and not how long the rest takes', () => {
  const moments = [{ at: start + 3_600_000, count: 600 }]
  expect(measure(1000, [sent(400)], [queued(600)], { moments })).toEqual({
    ...{ total: 1000, settled: 400, waiting: 600, ratePerSecond: 40, startedAt: start },
    waitingUntil: moments,
  })
})
