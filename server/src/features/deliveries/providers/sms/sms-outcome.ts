/** What became of an SMS. It is sent at most once: only `later` may be tried again, because nothing was taken. */
export type SmsOutcome =
  /** `isUnasked`: of a check, where only a real SMS would show it. */
  | { kind: 'accepted'; detail?: string; isUnasked?: true }
  /** The gateway did not take it, for a reason that lies in the moment and not in the SMS. */
  | { kind: 'later'; retryAfterMs: number; detail: string }
  | { kind: 'refused'; detail: string }
  /** Our credentials are wrong: nothing goes until a person has looked. */
  | { kind: 'paused'; detail: string }
  /** It may have been sent. */
  | { kind: 'unknown'; detail: string }

export interface Sms {
  /** In international form, digits with or without a plus. */
  to: string
  text: string
  /** Ours, to find it again at the gateway. */
  reference: string
}

export interface SmsProvider {
  send(sms: Sms): Promise<SmsOutcome>
  checkCredentials(): Promise<SmsOutcome>
}
