import type { Payload } from '../messages/payloads/payload.ts'

/** What leads to a device. SMS goes to a phone number and has its own way: see providers/sms/. */
export const providerNames = ['fcm', 'apns', 'webpush'] as const
export type ProviderName = (typeof providerNames)[number]

/** What a provider made of a push. Every answer, timeout and broken connection is one of these; nothing is thrown. */
export type Outcome =
  | { kind: 'accepted'; detail?: string }
  /** The token is dead. */
  | { kind: 'gone'; detail: string }
  /**
   * Not now. `isForAll`: the provider said it of the app or the host, not of this device. `isQuota`: and go slower then.
   * `isFault`: it could not be reached, or failed by itself; several of these in a row say it is away.
   * `wasWithdrawn`: it was not wanted any more before anything of it was written.
   */
  | {
      kind: 'later'
      retryAfterMs: number
      isForAll: boolean
      isQuota?: boolean
      isFault?: boolean
      wasWithdrawn?: boolean
      detail: string
    }
  /** Never in this form; the token stays, unless it belongs to somebody else's project (`isForeign`). */
  | { kind: 'refused'; detail: string; isForeign?: boolean }
  /** Our credentials are wrong: nothing of this app goes until a person has looked. */
  | { kind: 'paused'; detail: string }
  /** It may have arrived: no answer came after it was written. */
  | { kind: 'unknown'; detail: string }

export interface Push {
  messageId: string
  installationNo: number
  /** The device token as the client gave it. */
  token: string
  /** When the token was last changed, for answers that say since when it is dead. */
  tokenChangedAt: Date | null
  payload: Payload
  expiresAt: Date
  /** Called while the push waits for room, because it may be stopped meanwhile. `isNext`: it would be written now. */
  isWanted?: ((isNext: boolean) => boolean) | undefined
}

export interface Provider {
  readonly name: ProviderName
  /** It goes to hosts that have nothing to do with each other, and keeps those that are away apart by itself. */
  readonly isOfManyHosts?: true
  send(push: Push): Promise<Outcome>
  /** Asks whether a token lives, without anything to be seen on the device. Missing where that cannot be asked. */
  checkToken?(token: string, tokenChangedAt: Date | null): Promise<Outcome>
  /** Asks whether the credentials are taken: accepted, or paused with the reason in plain words, or later. */
  checkCredentials(): Promise<Outcome>
  close(): Promise<void>
}
