import { describe, expect, it } from 'vitest'
import { countDeliveries, type DeliveryGroup, type WaitingGroup } from './count-deliveries.ts'

const row = (state: DeliveryGroup['state'], count: number, reason: DeliveryGroup['reason'] = null): DeliveryGroup => ({
  state,
  reason,
  count,
})
const batch = (state: WaitingGroup['state'], listed: number, isOpen = false): WaitingGroup => ({
  state,
  listed,
  isOpen,
})

describe('the counts of a message', () => {
  it('are cumulative: what was opened was also sent, delivered and shown', () => {
    const rows = [
      row('sent', 1),
      row('delivered', 2),
      row('shown', 4),
      row('opened', 8),
      row('acted', 16),
      row('dismissed', 32),
    ]
    expect(countDeliveries(63, rows, []).states).toEqual({
      queued: 0,
      sent: 63,
      delivered: 62,
      shown: 60,
      opened: 8,
      acted: 16,
      dismissed: 32,
      ended: 0,
    })
  })

  it('tell the reasons of what ended', () => {
    const { states, reasons } = countDeliveries(
      5,
      [row('ended', 2, 'gone'), row('ended', 3, 'expired'), row('sent', 1)],
      [],
    )
    expect(states).toMatchObject({ ended: 5, sent: 1, queued: 0 })
    expect(reasons).toMatchObject({ gone: 2, expired: 3, refused: 0 })
  })

  it.each<[string, number, DeliveryGroup[], WaitingGroup[], { queued: number; cancelled: number }]>([
    ['nothing is sent yet', 3, [], [batch('queued', 3)], { queued: 3, cancelled: 0 }],
    ['an audience is not expanded yet', 9, [], [batch('queued', 0, true)], { queued: 9, cancelled: 0 }],
    ['an audience is expanded in part', 9, [row('sent', 2)], [batch('queued', 3, true)], { queued: 7, cancelled: 0 }],
    [
      'a receipt came before the batch was done',
      3,
      [row('shown', 1)],
      [batch('queued', 3)],
      { queued: 2, cancelled: 0 },
    ],
    [
      'others are not in the channel',
      3,
      [row('ended', 5, 'not-in-channel')],
      [batch('queued', 3)],
      { queued: 3, cancelled: 0 },
    ],
    ['all batches are done', 9, [row('sent', 7)], [], { queued: 0, cancelled: 0 }],
    ['all is cancelled', 3, [], [batch('cancelled', 3)], { queued: 0, cancelled: 3 }],
    ['an audience is cancelled', 9, [row('sent', 4)], [batch('cancelled', 0, true)], { queued: 0, cancelled: 5 }],
    [
      'a part is being sent while the rest is cancelled',
      9,
      [],
      [batch('queued', 4), batch('cancelled', 5)],
      { queued: 4, cancelled: 5 },
    ],
    [
      'a part of an audience is being sent',
      9,
      [],
      [batch('queued', 4), batch('cancelled', 0, true)],
      { queued: 4, cancelled: 5 },
    ],
    ['more came back than were counted', 1, [row('shown', 3)], [batch('queued', 1)], { queued: 0, cancelled: 0 }],
  ])('when %s', (_when, recipients, rows, waiting, { queued, cancelled }) => {
    const counts = countDeliveries(recipients, rows, waiting)
    expect({ queued: counts.states.queued, cancelled: counts.reasons.cancelled }).toEqual({ queued, cancelled })
  })
})
