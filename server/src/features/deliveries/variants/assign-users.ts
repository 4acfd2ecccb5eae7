import { controlName } from '@peyk/contract'
import type { Store } from '#base/store/store.ts'
import { assignVariant, type Place } from './assign-variant.ts'
import { findWinner, type TestedMessage } from './find-winner.ts'

/** What a user is given of a message that is a test. */
export type Assigned =
  /** `variant` may be `control`; `testedAt` only of those who are compared. */
  { variant: string; testedAt?: Date } | { waitsUntil: Date }

/** The winner is asked for once, and only where somebody waits for it. */
export async function assignUsers(
  store: Store,
  message: TestedMessage,
  userIds: Iterable<string>,
  at: Date,
): Promise<Map<string, Assigned>> {
  const places = new Map<string, Place>()
  for (const userId of userIds) places.set(userId, assignVariant(message.test, message.id, userId))
  const isAwaited = [...places.values()].some(({ kind }) => kind === 'others')
  const winner = isAwaited ? await findWinner(store, message, at) : undefined
  const assigned = new Map<string, Assigned>()
  for (const [userId, place] of places) {
    if (place.kind === 'control') assigned.set(userId, { variant: controlName, testedAt: at })
    else if (place.kind === 'tested') assigned.set(userId, { variant: place.variant, testedAt: at })
    else if (winner) assigned.set(userId, winner)
  }
  return assigned
}
