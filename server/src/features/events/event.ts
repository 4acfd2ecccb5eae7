/** An event that was read and may be stored. Who it belongs to is found out when it is stored. */
export interface EventDraft {
  appId: number
  userId: string | undefined
  /** Lower-case UUID. */
  installationId: string | undefined
  id: string
  /** When the request came that brought it, in epoch milliseconds. */
  begunAt: number
  /** Epoch milliseconds. */
  eventAt: number
  name: string
  /** The name in lower case: counters and types of values are kept under it. */
  key: string
  data: EventData | null
  /** What the event adds to the sums: its revenue, or the number in its data's `value`. */
  value: number | null
  revenue: number | null
  currency: string | null
  influence: Influence | null
  /** The id that a client gave it: one of the same installation is stored once. */
  clientEventId: string | null
  timeWarning: string | undefined
  kindWarnings: string[] | undefined
  /** The kinds of its values are not all known yet: `settleKinds` finds them out. */
  isUnsettled: boolean
}

export type EventData = Record<string, unknown>

/** The message that a device had shown or opened before the event. */
export interface Influence {
  messageId: string
  isDirect: boolean
}

export interface StoredEvent {
  id: string
  warnings: string[] | undefined
  /** It was there before: nothing was stored now. */
  isRepeated: boolean
}
