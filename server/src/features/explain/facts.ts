import type { DeliveryReason, DeliveryState, TimelineEntry, TimelineFact } from '@peyk/contract'
import type { CredentialProvider, Pause } from '../accounts/providers/stored-provider.ts'
import type { Detail } from '../deliveries/details/detail.ts'
import type { MessageRow } from '../messages/stored/message-answer.ts'
import { renderFact } from './render-fact.ts'

/** What is known of one installation and one message. */
export interface InstallationFacts {
  installationNo: number
  id: string
  deviceType: string
  language: string | null
  createdAt: Date
  loggedInAt: Date
  uninstalledAt: Date | null
  subscriptions: string[]
  /** The user has it now; else the user was the last to log in there. */
  isOwn: boolean
  /** It belonged to another user when the recipients were decided. */
  isOthers: boolean
  token: string | null
  tokenStatus: string | null
  isConnected: boolean
  /** Connected, with the app in the foreground. */
  isOpen: boolean
  delivery: DeliveryFacts | undefined
  attempts: { at: Date; provider: string; outcome: string; detail: string | null }[]
  receipts: { kind: string; actionId: string; happenedAt: Date }[]
  batch: BatchFacts | undefined
  /** How it stands with each rule of the message's segment; empty where there is none. */
  rules: RuleFacts[]
}

export interface DeliveryFacts extends Detail {
  state: DeliveryState
  reason: DeliveryReason | null
  provider: string | null
  /** In which language of the message it was handed over. */
  language: string | null
  /** Which variant of the message the user was given, and when, if they were in its test. */
  variant: string | null
  testedAt: Date | null
  sentAt: Date | null
  updatedAt: Date
  /** Where the message has other ends for other users. */
  expiresAt: Date | null
}

/** The part of the work-list that the installation waits in. */
export interface BatchFacts {
  state: 'queued' | 'paused' | 'cancelled'
  attempts: number
  availableAt: Date
  isLeased: boolean
  /** It waits for the local time of its user. */
  isForLater: boolean
  expiresAt: Date | null
  /** It waits for its turn at the pace of the message. */
  isPaced: boolean
}

export interface RuleFacts {
  /** As it was sent. */
  rule: unknown
  holds: boolean
  /** The installation's own values of the names that the rule asks for. */
  values: Record<string, unknown>
}

export interface MessageFacts {
  row: MessageRow
  /** The user is one of those whom the message names. */
  isNamed: boolean
  /** How far the audience is cut into batches; undefined when it is done. */
  expandedUpTo: number | undefined
  /** What the app has credentials for, and which of it is paused. */
  providers: ReadonlyMap<CredentialProvider, Pause | undefined>
  now: Date
}

/** A line of the story: one sentence or several. */
export function entry(
  kind: TimelineEntry['kind'],
  says: TimelineFact | readonly TimelineFact[],
  at?: Date | null,
): TimelineEntry {
  const all = [says].flat()
  return { kind, text: all.map(renderFact).join(' '), says: all, ...(at && { at: at.getTime() }) }
}
