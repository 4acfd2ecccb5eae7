import type { DeliveryReason, PathCode } from '@peyk/contract'
import type { Product } from '../messages/compose/expiry.ts'
import { describeCode } from './details/detail.ts'
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
  /** Connected, and the app is in the foreground. */
  isOpen?: boolean
}

export type Path = { code: PathCode; why: string } & (
  | { kind: 'provider'; provider: ProviderName }
  /** Over the own connection at once; by the provider when it is not acknowledged soon. */
  | { kind: 'connection'; next?: ProviderName }
  /** It waits for the own connection until it expires. `missing`: the app has no credentials for that provider. */
  | { kind: 'inbox'; missing?: ProviderName }
  | { kind: 'ended'; reason: DeliveryReason; missing?: ProviderName }
)

/** The provider that the reason for a path speaks of. */
export function providerInReason(path: Path): ProviderName | undefined {
  if (path.kind === 'provider') return path.provider
  return path.kind === 'connection' ? path.next : path.missing
}

/**
 * [sending.md#messages-and-notifications, sending.md#delivery-channels] Which way a message goes to one installation,
 * and why.
 */
export function choosePath(message: MessageFlags, reach: Reach, providers: { has(name: ProviderName): boolean }): Path {
  if (message.live) {
    if (reach.isOpen) return { kind: 'connection', code: 'live-open', why: describeCode('live-open') }
    return { kind: 'ended', reason: 'no-provider', code: 'live-closed', why: describeCode('live-closed') }
  }
  const hasInbox = message.product === 'message'
  if (hasInbox && (message.silent || message.inApp)) return chooseWithoutNotification(message, reach)

  const without = (code: PathCode, reason: DeliveryReason, missing?: ProviderName): Path => {
    const known = { code, ...(missing && { missing }) }
    const why = describeCode(code, missing)
    return hasInbox
      ? { kind: 'inbox', ...known, why: `${why}; it waits in the inbox` }
      : { kind: 'ended', reason, ...known, why }
  }
  if (isDenied(reach) && !message.silent) {
    return without('notifications-off', 'opted-out')
  }
  const provider = providerOf(reach)
  if (reach.isConnected && !(provider && providers.has(provider))) {
    return { kind: 'connection', code: 'connected-only', why: describeCode('connected-only') }
  }
  if (reach.isConnected && provider && hasInbox && !message.autoNotify) {
    return {
      kind: 'connection',
      next: provider,
      code: 'connected-first',
      why: describeCode('connected-first', provider),
    }
  }
  if (!provider) return without('no-token', 'no-provider')
  if (!providers.has(provider)) {
    return without('no-credentials', 'no-provider', provider)
  }
  return { kind: 'provider', provider, code: 'token', why: describeCode('token', provider) }
}

function chooseWithoutNotification(message: MessageFlags, reach: Reach): Path {
  const isReached = message.inApp ? reach.isOpen : reach.isConnected
  const code = message.inApp ? 'in-app' : 'silent'
  const what = describeCode(code)
  return isReached
    ? { kind: 'connection', code, why: `${what}, and it is connected` }
    : { kind: 'inbox', code, why: `${what}, it waits in the inbox` }
}

function isDenied({ tokenStatus }: Reach): boolean {
  return tokenStatus !== null && /^denied$/i.test(tokenStatus)
}

const apnsToken = /^[0-9a-f]{64,200}$/i

/**
 * By the look of the token alone: apps on iOS and the web may use FCM's tokens too, and a client that says the wrong
 * platform has the right token. No other provider would take it. The columns `token_provider` and `is_denied` of
 * installation_details say the same.
 */
export function providerOf({ token }: Pick<Reach, 'token'>): ProviderName | undefined {
  if (token === null || token === '') return undefined
  if (token.startsWith('{')) return 'webpush'
  return apnsToken.test(token) ? 'apns' : 'fcm'
}
