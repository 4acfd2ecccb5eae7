import { createPrivateKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { realTime } from '#base/clock.ts'
import type { WebPushCredentials } from '#features/accounts/credential-formats/web-push.ts'

export interface VapidHeader {
  authorization: string
  /** When it was signed, on this process's monotonic clock. */
  signedAt: number
}

/** Who we are, signed for each push service [RFC 8292]. */
export interface Vapid {
  for(origin: string): Promise<VapidHeader>
  /** After a 401 or 403: one that is not `refused`. The same one again if that was signed just now. */
  renew(origin: string, refused: VapidHeader): Promise<VapidHeader>
}

const HOUR = 3_600_000
const livesMs = 12 * HOUR
const renewMs = 6 * HOUR
const freshMs = 60_000
const mostOrigins = 256

export function createVapid(credentials: WebPushCredentials, now: () => Date): Vapid {
  const key = keyOf(credentials)
  const signed = new Map<string, Promise<VapidHeader>>()

  function sign(origin: string): Promise<VapidHeader> {
    const header = signFor(origin, key, credentials, realTime(now))
    signed.delete(origin)
    signed.set(origin, header)
    header.catch(() => signed.delete(origin))
    if (signed.size > mostOrigins) signed.delete(signed.keys().next().value as string)
    return header
  }

  return {
    async for(origin) {
      const held = await signed.get(origin)
      return held && performance.now() - held.signedAt < renewMs ? held : sign(origin)
    },
    async renew(origin, refused) {
      const held = await signed.get(origin)
      if (held && held !== refused) return held
      return performance.now() - refused.signedAt < freshMs ? refused : sign(origin)
    },
  }
}

async function signFor(
  origin: string,
  key: KeyObject,
  { publicKey, subject }: WebPushCredentials,
  now: Date,
): Promise<VapidHeader> {
  const token = await new SignJWT({})
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(origin)
    .setSubject(subject)
    .setExpirationTime(Math.floor((now.getTime() + livesMs) / 1_000))
    .sign(key)
  return { authorization: `vapid t=${token}, k=${publicKey}`, signedAt: performance.now() }
}

function keyOf({ publicKey, privateKey }: WebPushCredentials): KeyObject {
  const point = Buffer.from(publicKey, 'base64url')
  return createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
      d: privateKey,
    },
  })
}
