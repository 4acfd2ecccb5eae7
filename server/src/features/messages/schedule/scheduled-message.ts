import type { AnyNotification } from '@peyk/contract'
import type { ResolvedAudience } from '../../segments/read/resolve-audience.ts'
import type { Product } from '../compose/expiry.ts'
import type { LocalTime } from '../local-time/local-time.ts'

/** A request without whom it goes to, and when. */
export type ScheduledRequest = Omit<
  AnyNotification,
  'user' | 'users' | 'target' | 'segment' | 'sendAt' | 'repeat' | 'templateId' | 'values'
>

/** A message that has not started. */
export interface ScheduledMessage {
  appId: number
  id: string
  product: Product
  sent: ScheduledRequest
  /** Undefined for everybody on the public channel, and for a group. */
  userIds: string[] | undefined
  /** Only of a group. */
  target: ResolvedAudience | undefined
  /** Installations it would have gone to when it was accepted or changed last. */
  count: number
  createdAt: Date
  createdBy: string | undefined
  /** With a local time: when the first users are due. */
  dueAt: Date
  localTime: LocalTime | undefined
  cancelledAt: Date | undefined
  /** Hash of what was approved; undefined if it needed no approval. */
  approvedAs?: string | undefined
  /** Only of an occurrence of a series. */
  occurrence: Occurrence | undefined
}

export interface Occurrence {
  seriesId: string
  /** The moment that the rule gave it. */
  at: Date
  /** Moved or edited by itself. */
  isChanged: boolean
  /** Its series is paused. */
  isHeld: boolean
}

export function withoutReceivers(sent: AnyNotification): ScheduledRequest {
  const { user: _user, users: _users, target: _target, segment: _segment, ...said } = sent
  const { sendAt: _at, repeat: _again, templateId: _id, values: _unused, ...rest } = said
  return rest
}
