import { type DeliveryReason, type DeliveryState, deliveryReasons, deliveryStates } from '@peyk/contract'

/** Deliveries that have a row: as many in this state, ended for this reason. */
export interface DeliveryGroup {
  state: DeliveryState
  reason: DeliveryReason | null
  count: number
}

/** The batches of a message that are not done, by their state. */
export interface WaitingGroup {
  state: 'queued' | 'cancelled'
  /** Installations listed in them. */
  listed: number
  /** Of these, in batches that a process has taken; not always asked for. */
  held?: number
  /** One of them stands for an audience whose installations are not listed yet. */
  isOpen: boolean
}

export interface DeliveryCounts {
  states: Record<DeliveryState, number>
  reasons: Record<DeliveryReason, number>
}

/** What an installation that is in one state has been through as well [sending.md#states-of-a-delivery]. */
const passed: Record<DeliveryState, readonly DeliveryState[]> = {
  queued: [],
  sent: [],
  delivered: ['sent'],
  shown: ['sent', 'delivered'],
  opened: ['sent', 'delivered', 'shown'],
  acted: ['sent', 'delivered', 'shown'],
  dismissed: ['sent', 'delivered', 'shown'],
  ended: [],
}

export function countDeliveries(recipients: number, rows: DeliveryGroup[], waiting: WaitingGroup[]): DeliveryCounts {
  const states = zeros(deliveryStates)
  const reasons = zeros(deliveryReasons)
  for (const { state, reason, count } of rows) {
    for (const each of [state, ...passed[state]]) states[each] += count
    if (reason) reasons[reason] += count
  }
  const { queued, cancelled } = countWaiting(recipients, rows, waiting)
  states.queued += queued
  states.ended += cancelled
  reasons.cancelled += cancelled
  return { states, reasons }
}

/**
 * Recipients without a row yet: those whose batch is queued, of these the ones that a process has taken to send them at
 * this moment, and those whose batch was cancelled.
 */
export function countWaiting(recipients: number, rows: DeliveryGroup[], waiting: WaitingGroup[]) {
  // Installations outside the channel were never among the recipients.
  const settled = rows.reduce((sum, row) => sum + (row.reason === 'not-in-channel' ? 0 : row.count), 0)
  const listed = waiting.reduce((sum, group) => sum + group.listed, 0)
  const isOpen = waiting.some((group) => group.isOpen)
  const left = Math.max(0, Math.min(recipients - settled, isOpen ? recipients : listed))
  const cancelledGroup = waiting.find((group) => group.state === 'cancelled')
  const queuedGroup = waiting.find((group) => group.state === 'queued')
  const { listed: queuedListed = 0, held = 0 } = queuedGroup ?? {}
  if (cancelledGroup?.isOpen) {
    const queued = Math.min(left, queuedListed)
    return { queued, inFlight: Math.min(queued, held), cancelled: left - queued }
  }
  const cancelled = Math.min(left, cancelledGroup?.listed ?? 0)
  const queued = left - cancelled
  // What a held batch lists may be settled in part; what nobody holds is not.
  const inFlight = queuedGroup?.isOpen ? Math.min(queued, held) : Math.max(0, queued - (queuedListed - held))
  return { queued, inFlight, cancelled }
}

/** A delivery that has a row and waits is in the inbox of its installation. */
export function countInInbox(rows: readonly DeliveryGroup[]): number {
  return rows.reduce((sum, { state, count }) => sum + (state === 'queued' ? count : 0), 0)
}

function zeros<Word extends string>(words: readonly Word[]): Record<Word, number> {
  return Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>
}
