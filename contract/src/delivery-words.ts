import Type from 'typebox'

/** Why a message goes to an installation as it does, or not at all. */
export const pathCodes = [
  'token',
  'no-token',
  'no-credentials',
  'notifications-off',
  'not-in-channel',
  'promo-withheld',
  'silent',
  'in-app',
  'live-open',
  'live-closed',
  'connected-first',
  'connected-only',
  'time-passed',
] as const
export type PathCode = (typeof pathCodes)[number]

/** [sending.md#states-of-a-delivery] In the order a delivery goes through them. */
export const deliveryStates = ['queued', 'sent', 'delivered', 'shown', 'opened', 'acted', 'dismissed', 'ended'] as const
export type DeliveryState = (typeof deliveryStates)[number]

export const deliveryReasons = [
  'expired',
  'gone',
  'refused',
  'no-provider',
  'not-in-channel',
  'opted-out',
  'promo-exhausted',
  'promo-withheld',
  'control',
  'unsubscribed',
  'capped',
  'cancelled',
  'no-phone',
  'unknown',
  'skipped',
] as const
export type DeliveryReason = (typeof deliveryReasons)[number]

/** What the detail of a delivery says, where it is not a provider that says it. */
export const detailCodes = [
  ...pathCodes,
  'uninstalled-before',
  'other-user',
  'too-large-for-client',
  'client-gone',
  'ends-in-quiet-hours',
  'own-control',
  'ends-before-winner',
] as const
export type DetailCode = (typeof detailCodes)[number]

/** A count for each of the words. */
export function countsOf<Word extends string>(words: readonly Word[]) {
  return Type.Object(Object.fromEntries(words.map((word) => [word, Type.Integer()])) as Record<Word, Type.TInteger>)
}

export function noneOf<Word extends string>(words: readonly Word[]) {
  return Object.fromEntries(words.map((word) => [word, 0])) as Record<Word, number>
}

export const Influenced = Type.Object(
  {
    events: Type.Integer(),
    directEvents: Type.Integer({ description: 'Those that came when the notification itself had opened the app.' }),
    revenue: Type.Record(Type.String(), Type.Number(), {
      description: 'By currency, in upper case; under an empty name where none was given.',
    }),
  },
  { description: 'Events that came within 12 hours after the message on the same device, as the client says.' },
)

/** Why a provider takes nothing: it was not reached (the first five), fails by itself, or asks to slow down. */
export const troubleReasons = [
  'name-not-found',
  'connection-refused',
  'timed-out',
  'certificate',
  'network',
  'server-error',
  'slow-down',
] as const
export type TroubleReason = (typeof troubleReasons)[number]
