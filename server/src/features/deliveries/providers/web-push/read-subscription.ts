import { asObject, readJsonObject } from '../read-json.ts'
import type { RemoteKeys } from './encrypt-web-push.ts'

export interface Subscription extends RemoteKeys {
  origin: string
  path: string
}

const longestEndpoint = 4_096

/** A browser's subscription as the client gave it; else what is wrong with it. Whether its host may be called is another question. */
export function readSubscription(token: string): Subscription | string {
  const sent = readJsonObject(token)
  if (!sent) return 'the subscription is not a JSON object'
  const { endpoint } = sent
  if (typeof endpoint !== 'string' || endpoint.length > longestEndpoint) return 'the subscription has no endpoint'
  const url = URL.parse(endpoint)
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:'))
    return 'the endpoint of the subscription is not a URL'
  if (url.username !== '' || url.password !== '') return 'the endpoint of the subscription carries a password'
  const keys = asObject(sent.keys)
  const p256dh = readBytes(keys?.p256dh)
  if (p256dh?.length !== 65 || p256dh[0] !== 4)
    return 'keys.p256dh of the subscription is not the 65 bytes of a P-256 point'
  const auth = readBytes(keys?.auth)
  if (auth?.length !== 16) return 'keys.auth of the subscription is not 16 bytes'
  return { origin: url.origin, path: url.pathname + url.search, p256dh, auth }
}

function readBytes(text: unknown): Buffer | undefined {
  return typeof text === 'string' && /^[A-Za-z0-9+/_-]{1,200}={0,2}$/.test(text)
    ? Buffer.from(text, 'base64url')
    : undefined
}
