import type { DeliveryReason } from '@peyk/contract'
import type { Product } from '../messages/expiry.ts'
import type { ProviderName } from './provider.ts'

/** What of a message decides its path. */
export interface MessageFlags {
  product: Product
  silent?: boolean
  inApp?: boolean
  live?: boolean
  autoNotify?: boolean
}

/** What of an installation decides it. */
export interface Reach {
  deviceType: string
  token: string | null
  tokenStatus: string | null
  isConnected: boolean
}

export type Path = { why: string } & (
  | { kind: 'provider'; provider: ProviderName }
  /** It waits for the own connection until it expires. */
  | { kind: 'inbox' }
  | { kind: 'ended'; reason: DeliveryReason }
)

/** [choices 20, 21] Which way a message goes to one installation, and why. */
export function choosePath(message: MessageFlags, reach: Reach, providers: { has(name: ProviderName): boolean }): Path {
  if (message.live && !reach.isConnected) {
    return { kind: 'ended', reason: 'no-provider', why: 'a live message goes to connected installations only' }
  }
  const hasInbox = message.product === 'message'
  if (hasInbox && message.silent) return { kind: 'inbox', why: 'it is silent: no notification, it waits in the inbox' }
  if (hasInbox && message.inApp) return { kind: 'inbox', why: 'it is for the open app: it waits in the inbox' }

  const without = (why: string, reason: DeliveryReason): Path =>
    hasInbox ? { kind: 'inbox', why: `${why}; it waits in the inbox` } : { kind: 'ended', reason, why }
  if (isDenied(reach) && !message.silent) {
    return without('notifications are not allowed on the device', 'opted-out')
  }
  const provider = providerOf(reach)
  if (!provider) return without('the installation has no push token', 'no-provider')
  if (!providers.has(provider)) return without(`the app has no credentials for ${provider}`, 'no-provider')
  return { kind: 'provider', provider, why: `its token is one of ${provider}` }
}

function isDenied({ tokenStatus }: Reach): boolean {
  return tokenStatus?.toUpperCase() === 'DENIED'
}

const apnsToken = /^[0-9a-f]{64,200}$/i

/** By the look of the token: apps on iOS and the web may use FCM's tokens too. */
export function providerOf({ deviceType, token }: Pick<Reach, 'deviceType' | 'token'>): ProviderName | undefined {
  if (token === null || token === '') return undefined
  if (token.startsWith('{')) return 'webpush'
  return deviceType !== 'android' && apnsToken.test(token) ? 'apns' : 'fcm'
}
