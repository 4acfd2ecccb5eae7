import type { FaultRule, FaultTarget } from './fault-rule.ts'
import type { Answer } from './http/answer.ts'
import type { Request } from './http/request.ts'

export const providerNames = ['fcm', 'apns', 'webpush', 'sms'] as const
export type ProviderName = (typeof providerNames)[number]

/** A push as a provider understood it. */
export interface ReadPush {
  kind: 'push'
  /** As the sender gave it: device token, endpoint of a subscription, or phone number. */
  token: string
  /** The id that a token of ours was issued for. */
  tokenId: string | undefined
  messageId: string | undefined
  /** FCM: `message`; APNs: the body; Web Push: what was decrypted; SMS: `{to, from, text, reference}`. */
  payload: unknown
  /** The provider's name of this push: FCM's message name, apns-id, Location, Twilio's sid. */
  pushId: string
  /** Until when it is kept for a device that is away; null: now or never. */
  expiresAt: number | null
  /** A later push with the same key takes its place while it is kept. */
  collapseKey: string | undefined
  /** Checked as a push, but never handed to a device [FCM validate_only]. */
  isValidateOnly: boolean
  answer: Answer
  /** Whether the answer is that it was accepted. */
  isAccepted: boolean
}

/** What a provider makes of a request: a push, or anything else, which is only answered. */
export type Reading = ReadPush | { kind: 'other'; answer: Answer; faultTarget?: FaultTarget }

export interface Provider {
  readonly name: ProviderName
  read(request: Request): Reading
  /** The answer that a rule asks for, in the provider's own form. */
  answerFault(rule: FaultRule, request: Request): Answer
}
