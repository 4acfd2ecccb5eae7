import { deliveryReasons, noneOf } from '@peyk/contract'
import { expect, it } from 'vitest'
import { en } from '#texts/en.ts'
import { createFormat } from '#texts/format.ts'
import { isConfirming } from './is-confirming.ts'
import { type Judged, judgeOutcome } from './judge-outcome.ts'
import { sayOutcome } from './say-outcome.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const HOUR = 3_600_000
const none = { queued: 0, sent: 0, delivered: 0, shown: 0, opened: 0, acted: 0, dismissed: 0, ended: 0 }

type Given = Partial<Omit<Judged, 'states' | 'progress' | 'reasons'>> & {
  states?: Partial<Judged['states']>
  reasons?: Partial<Judged['reasons']>
  progress?: Partial<Judged['progress']>
}

function judge({ states, reasons, progress, ...given }: Given) {
  const count = given.count ?? 15_110
  const createdAt = now - 50 * HOUR
  return judgeOutcome(
    {
      createdAt,
      ...given,
      count,
      states: { ...none, ...states },
      reasons: { ...noneOf(deliveryReasons), ...reasons },
      progress: { total: count, settled: count, waiting: 0, ...progress },
    },
    now,
  )
}

function say(given: Given): string {
  const { reach, opens, against } = sayOutcome(judge(given), en, createFormat('en'))
  return [[reach, opens].filter(Boolean).join('; '), against].filter(Boolean).join(', ')
}

const sent = { sent: 15_110, delivered: 14_838, opened: 1_700, acted: 140 }
const usual = { openShare: 0.093, messages: 14 }
const took = { startedAt: now - 50 * HOUR, finishedAt: now - 50 * HOUR + 41_000 }

it('says in one line whether it worked, and how that compares', () => {
  expect(say({ states: sent, progress: took, usual })).toBe(
    'Delivered to 98.2% of 15,110 devices, sent in 41 seconds; 12.4% opened it, 3.1 points above your usual',
  )
  expect(say({ states: { ...sent, opened: 500 }, usual })).toBe(
    'Delivered to 98.2% of 15,110 devices; 4.3% opened it, 5 points below your usual',
  )
  expect(say({ states: { ...sent, sent: 15_000 }, progress: took })).toBe(
    'Sent to 15,000 of 15,110 devices in 41 seconds; delivered to 98.9% of these; 12.4% opened it',
  )
})

it('does not call chance a difference, and compares nothing with too few', () => {
  const few = { sent: 400, delivered: 400, opened: 44 }
  expect(say({ count: 400, states: few, usual })).toMatch(/11% opened it, about your usual$/)
  expect(say({ count: 99, states: { sent: 99, delivered: 99, opened: 50 }, usual })).not.toContain('usual')
  expect(say({ states: sent })).not.toContain('usual')
})

it('gives a young message time: being above is said at once, being below is not', () => {
  const young = { createdAt: now - HOUR, usual }
  expect(say({ ...young, states: sent })).toMatch(/12\.4% opened it so far, 3\.1 points above your usual$/)
  expect(say({ ...young, states: { ...sent, opened: 10 } })).toMatch(/1% opened it so far$/)
  expect(say({ ...young, states: { ...sent, opened: 0, acted: 0 } })).toMatch(/nobody has opened it yet$/)
  expect(say({ ...young, states: { sent: 15_110 } })).toBe('Sent to all 15,110 devices; none has confirmed it yet')
  expect(say({ states: { sent: 15_110 } })).toBe('Sent to all 15,110 devices; none confirmed it')
  expect(say({ states: { sent: 15_110, delivered: 15_000 } })).toMatch(/nobody opened it$/)
})

it('is true of what is on its way, held or called back', () => {
  const going = { states: { sent: 5_000, delivered: 4_900 }, progress: { settled: 5_000, waiting: 10_110 } }
  const rest = 'sent to 5,000 of 15,110 devices so far; delivered to 98% of these; nobody has opened it yet'
  expect(say(going)).toBe(`Sending: ${rest}`)
  expect(say({ ...going, progress: { ...going.progress, paused: true } })).toBe(`Paused: ${rest}`)
  expect(say({ ...going, progress: { ...going.progress, stopped: true } })).toBe(`Stopped: ${rest}`)
  expect(say({ ...going, cancelledAt: now })).toBe(`Cancelling: ${rest}`)
  expect(say({ ...going, usual, createdAt: now })).not.toContain('usual')
  expect(say({ progress: { settled: 0, waiting: 15_110 } })).toBe('Waiting: nothing was sent yet to its 15,110 devices')
  const cancelled = { cancelledAt: now, progress: { cancelled: 10_110 } }
  expect(say({ ...cancelled, states: { ...going.states, opened: 490 } })).toBe(
    'Cancelled: sent to 5,000 of 15,110 devices; delivered to 98% of these; 10% opened it',
  )
  expect(say(cancelled)).toBe('Cancelled: nothing was sent to its 15,110 devices')
  expect(say({ states: sent, cancelledAt: now })).toMatch(/^Delivered to 98\.2%/)
})

it('is true when nothing went out, or only to those who had the app open', () => {
  expect(say({ count: 0 })).toBe('Nothing was sent: it had no recipients')
  expect(say({ states: { queued: 15_110 } })).toBe('Nothing was sent yet to its 15,110 devices')
  expect(say({ states: { ended: 15_110 } })).toBe('None of its 15,110 devices could be reached')
  expect(say({ live: true })).toBe('Nothing was sent: none of its 15,110 devices had the app open')
  expect(say({ live: true, states: { sent: 14, delivered: 13, opened: 2 } })).toBe(
    'Sent to the 14 of 15,110 devices that had the app open; delivered to 13 of these; opened on 2',
  )
})

it('counts where there are few, and says nothing of opening what cannot be opened', () => {
  expect(say({ count: 4, states: { sent: 4, delivered: 3, opened: 1 } })).toBe(
    'Delivered to 3 of 4 devices; opened on 1',
  )
  expect(say({ silent: true, states: { ...sent, opened: 0, acted: 0 }, usual })).toBe(
    'Delivered to 98.2% of 15,110 devices',
  )
})

it('tells of one device in its own words', () => {
  const one = { count: 1, createdAt: now - HOUR }
  expect(say({ ...one, states: { sent: 1 } })).toBe('Sent, not confirmed by the device yet')
  expect(say({ count: 1, states: { sent: 1 } })).toBe('Sent, never confirmed by the device')
  expect(say({ ...one, states: { sent: 1, delivered: 1 } })).toBe('Delivered, not opened yet')
  expect(say({ count: 1, states: { sent: 1, delivered: 1 } })).toBe('Delivered, never opened')
  expect(say({ ...one, states: { sent: 1, delivered: 1 }, silent: true })).toBe('Delivered')
  expect(say({ ...one, states: { sent: 1, delivered: 1, acted: 1 }, clientId: 'panel-test' })).toBe(
    'Test message: delivered and opened',
  )
  expect(say({ ...one, states: { ended: 1 }, reasons: { gone: 1 } })).toBe('Not delivered (App uninstalled)')
  expect(say({ ...one, live: true, states: { ended: 1 }, reasons: { 'no-provider': 1 } })).toBe(
    'Not sent: the app was not open',
  )
  expect(say({ ...one, progress: { settled: 0, waiting: 1 } })).toBe('Waiting: not sent yet')
})

it.each([
  ['while it is sent', { waiting: 3 }, true],
  ['seconds after', { waiting: 0, finishedAt: now - 20_000 }, true],
  ['minutes after', { waiting: 0, finishedAt: now - 3 * 60_000 }, false],
])('waits for confirmations %s: %o', (_, progress, expected) => {
  expect(isConfirming({ createdAt: now - HOUR, progress: { total: 9, settled: 9, ...progress } }, now)).toBe(expected)
})
