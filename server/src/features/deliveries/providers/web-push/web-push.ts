import { realTime } from '#base/clock.ts'
import type { WebPushCredentials } from '#features/accounts/credential-formats/web-push.ts'
import type { Payload } from '#features/messages/payloads/payload.ts'
import type { Outcome, Provider, Push } from '../../provider.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { createLocalKey, encryptWebPush, type LocalKey, longestRecord, toRecord } from './encrypt-web-push.ts'
import { openPushServices, type PushService } from './push-services.ts'
import { readSubscription, type Subscription } from './read-subscription.ts'
import { readWebPushAnswer } from './read-web-push-answer.ts'
import { createVapid } from './vapid.ts'

type WebPushPayload = Extract<Payload, { provider: 'webpush' }>

const longestTtlSeconds = 2_419_200

/** What all recipients of a message have in common. */
interface Prepared {
  record: Buffer
  localKey: Promise<LocalKey>
}

export function openWebPush(credentials: WebPushCredentials, options: ProviderOptions): Provider {
  const { now } = options
  const vapid = createVapid(credentials, now)
  const services = openPushServices(options)
  const prepared = new WeakMap<WebPushPayload, Prepared>()

  function prepare(payload: WebPushPayload): Prepared {
    const known = prepared.get(payload)
    if (known) return known
    const made = { record: toRecord(payload.body), localKey: createLocalKey() }
    prepared.set(payload, made)
    made.localKey.catch(() => prepared.delete(payload))
    return made
  }

  async function post(
    service: PushService,
    { path, ...remote }: Subscription,
    payload: WebPushPayload,
    { expiresAt, isWanted }: Pick<Push, 'expiresAt' | 'isWanted'>,
  ): Promise<Outcome> {
    const { record, localKey } = prepare(payload)
    if (record.length > longestRecord) {
      return {
        kind: 'refused',
        detail: `the payload has ${record.length - 1} bytes; web push takes ${longestRecord - 1}`,
      }
    }
    const body = await encryptWebPush(record, remote, await localKey).catch(() => undefined)
    if (!body) return { kind: 'refused', detail: 'keys.p256dh of the subscription is not a point of the curve P-256' }
    const left = Math.floor((expiresAt.getTime() - now().getTime()) / 1_000)
    const request = (authorization: string) =>
      service.request({
        method: 'POST',
        path,
        headers: {
          authorization,
          'content-type': 'application/octet-stream',
          'content-encoding': 'aes128gcm',
          ttl: String(Math.min(Math.max(left, 0), longestTtlSeconds)),
          urgency: payload.urgency,
          ...(payload.topic !== '' && { topic: payload.topic }),
        },
        body,
        isWanted,
      })
    const header = await vapid.for(service.origin)
    let answer = await request(header.authorization)
    if (answer.kind === 'answer' && (answer.status === 401 || answer.status === 403)) {
      const renewed = await vapid.renew(service.origin, header)
      if (renewed !== header) answer = await request(renewed.authorization)
    }
    const outcome = readWebPushAnswer(answer, realTime(now))
    if (outcome.kind === 'later' && isOfHost(answer)) service.silence(outcome.retryAfterMs)
    return outcome
  }

  return {
    name: 'webpush',
    isOfManyHosts: true,
    async send({ token, payload, ...push }) {
      if (payload.provider !== 'webpush') {
        return { kind: 'refused', detail: `a payload for ${payload.provider} came to web push` }
      }
      const subscription = readSubscription(token)
      if (typeof subscription === 'string') return { kind: 'refused', detail: subscription }
      const service = await services.find(subscription.origin)
      if ('kind' in service) return service
      const silentMs = service.silentMs()
      if (silentMs > 0) {
        const detail = `${new URL(service.origin).host} asked to wait`
        return { kind: 'later', retryAfterMs: Math.ceil(silentMs), isForAll: false, detail }
      }
      return post(service, subscription, payload, push)
    },
    /** There is nobody to ask: a push service knows a key only by what was subscribed with it. */
    async checkCredentials() {
      try {
        await vapid.for('https://push.example')
        return {
          kind: 'accepted',
          detail: 'the key pair signs; push services are not asked, they learn the key with each push',
        }
      } catch {
        return { kind: 'paused', detail: 'nothing can be signed with the VAPID key pair' }
      }
    },
    close: () => services.close(),
  }
}

/** A 429, or a fault with a time: the push service speaks of itself. */
function isOfHost(answer: {
  kind: string
  status?: number
  headers?: Readonly<Record<string, string | undefined>>
}): boolean {
  return answer.kind === 'answer' && (answer.status === 429 || answer.headers?.['retry-after'] !== undefined)
}
