import { createECDH, createHash, type ECDH, randomBytes, timingSafeEqual } from 'node:crypto'
import { createMac } from './mac.ts'
import type { ProviderName } from './provider.ts'

/** What a token proves, without anything having been stored of it. */
export interface KnownToken {
  id: string
  /** Web push: the hash of the VAPID key that the subscription was made with. */
  vapidKeyHash?: string
}

export interface DeadToken {
  provider: ProviderName
  id: string
  /** Epoch milliseconds. */
  since: number
}

export interface Subscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

export type TokenOf<P extends ProviderName> = P extends 'webpush' ? Subscription : string

const idForm = /^[A-Za-z0-9_-]{1,16}$/
/** A token as FCM's look like, of whatever project. */
const fcmForm = /^[A-Za-z0-9_-]{1,64}:APA91b[A-Za-z0-9_-]{22,256}$/
const fcmParts = /^simulated-([A-Za-z0-9_-]{1,16}):APA91b([A-Za-z0-9_-]{22})$/
const apnsForm = /^[0-9a-fA-F]{64}$/
const webPushParts = /^([A-Za-z0-9_-]{1,16})\.([A-Za-z0-9_-]{0,11})\.([A-Za-z0-9_-]{22})$/
const phoneForm = /^\+?[0-9]{4,15}$/

/**
 * Device tokens that prove themselves: an id and its HMAC under the simulator's secret, so that millions need no
 * storage and all live on after a restart. Only the dead are remembered.
 */
export class Tokens {
  private readonly derive: (text: string) => Buffer
  private readonly webPushOrigin: string
  private readonly now: () => number
  private readonly dead = new Map<string, DeadToken>()
  private onChange: () => void = () => undefined

  constructor(secret: Buffer, webPushOrigin: string, now: () => number = Date.now) {
    if (secret.length !== 32) throw new Error(`The simulator's secret has 32 bytes, not ${secret.length}.`)
    this.derive = createMac(secret)
    this.webPushOrigin = webPushOrigin
    this.now = now
  }

  /** `id`: 1–16 characters of A–Z, a–z, 0–9, _ and -; a random one by default. `vapidKey`: base64url, of web push only. */
  issue<P extends Exclude<ProviderName, 'sms'>>(provider: P, id = newId(), vapidKey?: string): TokenOf<P> {
    if (!idForm.test(id))
      throw new Error(`A token's id is 1 to 16 of A-Z, a-z, 0-9, _ and -, not ${JSON.stringify(id)}.`)
    if (provider === 'fcm') return `simulated-${id}:APA91b${this.proof(`fcm:${id}`)}` as TokenOf<P>
    if (provider === 'apns') return this.apnsToken(id) as TokenOf<P>
    return this.subscription(id, vapidKey === undefined ? '' : hashVapidKey(vapidKey)) as TokenOf<P>
  }

  /** Undefined when it is none of ours. A web push token is an endpoint or the JSON of a subscription. */
  read(provider: ProviderName, token: string): KnownToken | undefined {
    if (provider === 'fcm') return this.readFcm(token)
    if (provider === 'apns') return this.readApns(token)
    if (provider === 'webpush') return this.readWebPush(token)
    return phoneForm.test(token) ? { id: token } : undefined
  }

  /** Whether it looks like a token of FCM, if perhaps of another project. */
  isFcmForm(token: string): boolean {
    return fcmForm.test(token)
  }

  /** Answers false when it is none of ours. */
  kill(provider: ProviderName, token: string, since = this.now()): boolean {
    const known = this.read(provider, token)
    if (known) this.killId(provider, known.id, since)
    return known !== undefined
  }

  killId(provider: ProviderName, id: string, since = this.now()): void {
    this.dead.set(`${provider}:${id}`, { provider, id, since })
    this.onChange()
  }

  revive(provider: ProviderName, token: string): boolean {
    const known = this.read(provider, token)
    if (known) this.reviveId(provider, known.id)
    return known !== undefined
  }

  reviveId(provider: ProviderName, id: string): void {
    if (this.dead.delete(`${provider}:${id}`)) this.onChange()
  }

  /** Epoch milliseconds since when a token is dead. */
  deadSince(provider: ProviderName, id: string): number | undefined {
    return this.dead.size === 0 ? undefined : this.dead.get(`${provider}:${id}`)?.since
  }

  listDead(): DeadToken[] {
    return [...this.dead.values()]
  }

  /** Takes what `listDead` gave before a restart. */
  loadDead(dead: readonly DeadToken[]): void {
    for (const token of dead) this.dead.set(`${token.provider}:${token.id}`, token)
  }

  /** Called whenever a token has died or come back. */
  onDeadChange(listener: () => void): void {
    this.onChange = listener
  }

  /** The keys of a browser's subscription, made from the secret and its id. */
  subscriptionKeys(id: string): { ecdh: ECDH; publicKey: Buffer; auth: Buffer } {
    const ecdh = createECDH('prime256v1')
    for (let attempt = 0; ; attempt++) {
      try {
        ecdh.setPrivateKey(this.derive(`p256dh:${attempt}:${id}`))
        break
      } catch {
        // One number in four thousand million is not a scalar of the curve.
      }
    }
    return { ecdh, publicKey: ecdh.getPublicKey(), auth: this.derive(`auth:${id}`).subarray(0, 16) }
  }

  private apnsToken(id: string): string {
    const bytes = Buffer.alloc(32)
    bytes.write(id, 'ascii')
    this.derive(`apns:${id}`).copy(bytes, 16, 0, 16)
    return bytes.toString('hex')
  }

  private subscription(id: string, vapidKeyHash: string): Subscription {
    const { publicKey, auth } = this.subscriptionKeys(id)
    const path = `${id}.${vapidKeyHash}.${this.proof(`webpush:${id}:${vapidKeyHash}`)}`
    return {
      endpoint: `${this.webPushOrigin}/push/${path}`,
      keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    }
  }

  private readFcm(token: string): KnownToken | undefined {
    const [, id, proof] = fcmParts.exec(token) ?? []
    return id !== undefined && proof !== undefined && isEqual(proof, this.proof(`fcm:${id}`)) ? { id } : undefined
  }

  private readApns(token: string): KnownToken | undefined {
    if (!apnsForm.test(token)) return undefined
    const bytes = Buffer.from(token, 'hex')
    const id = bytes.toString('latin1', 0, 16).replace(/\0+$/, '')
    if (!idForm.test(id)) return undefined
    return timingSafeEqual(bytes.subarray(16), this.derive(`apns:${id}`).subarray(0, 16)) ? { id } : undefined
  }

  private readWebPush(token: string): KnownToken | undefined {
    const [, id, vapidKeyHash, proof] = webPushParts.exec(webPushPath(token)) ?? []
    if (id === undefined || vapidKeyHash === undefined || proof === undefined) return undefined
    if (!isEqual(proof, this.proof(`webpush:${id}:${vapidKeyHash}`))) return undefined
    return vapidKeyHash === '' ? { id } : { id, vapidKeyHash }
  }

  private proof(text: string): string {
    return this.derive(text).toString('base64url', 0, 16)
  }
}

export function newId(): string {
  return randomBytes(12).toString('base64url')
}

export function hashVapidKey(vapidKey: string): string {
  return createHash('sha256').update(Buffer.from(vapidKey, 'base64url')).digest('base64url').slice(0, 11)
}

/** What follows `/push/` in an endpoint, or in the endpoint of a subscription as JSON. */
function webPushPath(token: string): string {
  if (!token.startsWith('{')) return token.slice(token.indexOf('/push/') + 6)
  try {
    const { endpoint } = JSON.parse(token) as { endpoint?: unknown }
    return typeof endpoint === 'string' ? webPushPath(` ${endpoint}`) : ''
  } catch {
    return ''
  }
}

function isEqual(left: string, right: string): boolean {
  return left.length === right.length && timingSafeEqual(Buffer.from(left), Buffer.from(right))
}
