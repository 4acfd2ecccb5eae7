import type { MessageContent } from '../compose/compose-message.ts'
import type { Product } from '../compose/expiry.ts'
import type { NeededAttributes } from '../rendering/needed-values.ts'
import type { Rendered } from '../rendering/template-engine.ts'
import type { Payload } from './payload.ts'

/** A message as it was accepted. */
export interface PushMessage {
  id: string
  product: Product
  trackId: string | undefined
  clientId: string | undefined
  acceptedAt: Date
  expiresAt: Date
  content: MessageContent
}

/** What the app says of itself where a message says nothing. */
export interface AppLook {
  name: string
  notificationText: string | undefined
  icon: string | undefined
}

/** Whom a message with templates is written for. */
export interface Recipient {
  userId: string
  installationId: string
  deviceType: string
  /** The user's attributes, with the installation's own over them. */
  attributes: Readonly<Record<string, unknown>>
  promoCode: string | undefined
  /** Writes the link to what the user wants to get, where a text asks for it. */
  preferencesUrl?: (() => string) | undefined
  /** One of the languages of the message, or `default`; only where it has several. */
  language?: string | undefined
  /** One of the variants of the message; only where it has some. */
  variant?: string | undefined
  /** What was written for them already, by template. */
  written?: Map<string, Rendered>
}

export type Platform = 'android' | 'ios' | 'web'

export interface PushTarget {
  provider: Payload['provider']
  platform: Platform
}

/** Every target that a push may have. */
export const allPushTargets: readonly PushTarget[] = [
  { provider: 'fcm', platform: 'android' },
  { provider: 'fcm', platform: 'ios' },
  { provider: 'fcm', platform: 'web' },
  { provider: 'apns', platform: 'ios' },
  { provider: 'webpush', platform: 'web' },
]

export type RenderedPush =
  | { kind: 'ready'; payload: Payload; bytes: number }
  /** It can never be sent; the detail says why, with the size when that is the reason. */
  | { kind: 'refused'; detail: string; bytes?: number }

/** A message whose templates are parsed and whose fixed parts are written. */
export interface CompiledPush {
  /** It differs from recipient to recipient. */
  readonly isPersonal: boolean
  readonly attributes: NeededAttributes
  readonly needsPromoCode: boolean
  /** One of its languages, or `default`, for an installation with this one; undefined where it has no languages. */
  readonly languageFor?: ((written: string | null, variant?: string) => string) | undefined
  /** Whether `renderSlowTexts` has to be awaited before `render` for these recipients. */
  needsSlowTexts(recipients: readonly Recipient[]): boolean
  renderSlowTexts(appId: number, recipients: readonly Recipient[]): Promise<void>
  /** `at`: what is left of the ttl is counted from then. The recipient is needed when it is personal. */
  render(target: PushTarget, at: Date, recipient?: Recipient): RenderedPush
}
