import type { DeliveryState } from '@peyk/contract'

const order: readonly DeliveryState[] = [
  'queued',
  'sent',
  'delivered',
  'shown',
  'dismissed',
  'opened',
  'acted',
  'ended',
]

export const testSteps = ['sent', 'delivered', 'shown', 'opened'] as const
export type TestStep = (typeof testSteps)[number]

/** How far a message to one device has come. */
export function furthestState(states: Record<DeliveryState, number>): DeliveryState {
  return order.findLast((state) => states[state] > 0) ?? 'queued'
}

/** What came later says that it has been there: a button that is pressed opens the notification, too. */
export function isReached(step: TestStep, state: DeliveryState): boolean {
  return state !== 'ended' && order.indexOf(state) >= order.indexOf(step)
}
