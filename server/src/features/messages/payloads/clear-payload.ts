import { fcmTtl } from './compile-push.ts'
import type { Platform } from './compiled-push.ts'
import type { Payload } from './payload.ts'
import { topicOf } from './web-push.ts'

/**
 * What tells a device that a message was recalled [client-protocol.md#receiving-messages]: it takes its notification
 * off the screen, and the message out of what it keeps. It has no `messageId`, so that a client library that does not
 * know it sees no message in it. Where the push of the message still waits for the device, its tag makes this one take
 * its place.
 */
export function clearContent(messageId: string): { clear: string } {
  return { clear: messageId }
}

export function clearPayload(
  messageId: string,
  { provider, platform }: { provider: Payload['provider']; platform: Platform },
  { expiresAt, at }: { expiresAt: Date; at: Date },
): Payload {
  const content = clearContent(messageId)
  const apple = { aps: { 'content-available': 1 }, ...content }
  if (provider === 'apns') {
    return { provider, body: JSON.stringify(apple), pushType: 'background', priority: 5, collapseId: messageId }
  }
  const topic = topicOf(messageId)
  if (provider === 'webpush') return { provider, body: JSON.stringify(content), urgency: 'normal', topic }
  const ttlSeconds = String(fcmTtl(expiresAt, at))
  const fields = {
    android: { data: content, android: { priority: 'NORMAL', ttl: `${ttlSeconds}s` } },
    web: { data: content, webpush: { headers: { TTL: ttlSeconds, Urgency: 'normal', Topic: topic } } },
    ios: {
      apns: {
        headers: {
          'apns-push-type': 'background',
          'apns-priority': '5',
          'apns-expiration': String(Math.floor(expiresAt.getTime() / 1_000)),
          'apns-collapse-id': messageId,
        },
        payload: apple,
      },
    },
  }
  return { provider, fields: JSON.stringify(fields[platform]).slice(1, -1) }
}
