/** Where faults can be set: the providers, and the OAuth endpoint that belongs to FCM. */
export const faultTargets = ['fcm', 'apns', 'webpush', 'sms', 'oauth'] as const
export type FaultTarget = (typeof faultTargets)[number]

/**
 * - `goaway`: the connection takes no more requests; see `lastStream`
 * - `rst`: RST_STREAM with `code`
 * - `reset`: the TCP connection is reset
 * - `hang`: this request is never answered
 * - `half-open`: the whole connection falls silent, PINGs included
 * - `html`: a page as a proxy would send it, 502 unless `status` says otherwise
 * - `endless`: an answer whose body never ends
 */
export const faultActions = ['goaway', 'rst', 'reset', 'hang', 'half-open', 'html', 'endless'] as const
export type FaultAction = (typeof faultActions)[number]

export interface FaultRule {
  match?: {
    token?: string
    /** Of the requests that match so far, each nth. */
    every?: number
    /** Only the first n of them. */
    first?: number
    /** All but the first n of them. */
    after?: number
    /** Only those above so many in a second: a quota, 429 with Retry-After 1 unless the rule says otherwise. */
    perSecond?: number
  }
  status?: number
  /** FCM's error code, Apple's reason, Twilio's code; its usual status is sent when `status` is missing. */
  reason?: string
  /** Sent as it is: seconds, a date, nonsense. Null: not sent. */
  retryAfter?: number | string | null
  /** The field that an INVALID_ARGUMENT of FCM complains about. */
  field?: string
  /** Epoch milliseconds in APNs' 410. */
  timestamp?: number
  /** Sent instead of the provider's own form. */
  body?: string
  delayMs?: number
  /** Announced to the client with SETTINGS before the answer. */
  maxConcurrentStreams?: number
  then?: FaultAction
  /** With `goaway`: whether this request is still answered (`at`) or refused with those after it (`below`). */
  lastStream?: 'at' | 'below'
  /** With `rst`: a code's name such as REFUSED_STREAM, or its number. */
  code?: string | number
  /** Whether the provider has taken the push all the same. See `isTaken` in apply-fault.ts. */
  isTaken?: boolean
}
