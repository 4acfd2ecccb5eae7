import type { DeliveryState } from '@peyk/contract'
import { expect, it } from 'vitest'
import { furthestState, isReached, testSteps } from './test-progress.ts'

const none = { queued: 0, sent: 0, delivered: 0, shown: 0, opened: 0, acted: 0, dismissed: 0, ended: 0 }

it.each<[Partial<typeof none>, DeliveryState, string[]]>([
  [{}, 'queued', []],
  [{ queued: 1 }, 'queued', []],
  [{ sent: 1 }, 'sent', ['sent']],
  [{ sent: 1, delivered: 1, shown: 1 }, 'shown', ['sent', 'delivered', 'shown']],
  [{ sent: 1, delivered: 1, shown: 1, dismissed: 1 }, 'dismissed', ['sent', 'delivered', 'shown']],
  [{ sent: 1, delivered: 1, shown: 1, opened: 1 }, 'opened', ['sent', 'delivered', 'shown', 'opened']],
  [{ sent: 1, delivered: 1, shown: 1, acted: 1 }, 'acted', ['sent', 'delivered', 'shown', 'opened']],
  [{ ended: 1 }, 'ended', []],
])('%j has come to %s', (counts, state, reached) => {
  const furthest = furthestState({ ...none, ...counts })
  expect(furthest).toBe(state)
  expect(testSteps.filter((step) => isReached(step, furthest))).toEqual(reached)
})
