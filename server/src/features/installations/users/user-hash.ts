import { createHmac, timingSafeEqual } from 'node:crypto'

/** Whether `userHash` is the HMAC-SHA256 of the user id under the app's identity secret, in hex. */
export function isUserHash(secret: string, userId: string, userHash: string | undefined): boolean {
  if (userHash === undefined || !/^[0-9a-f]{64}$/i.test(userHash)) return false
  return timingSafeEqual(createHmac('sha256', secret).update(userId).digest(), Buffer.from(userHash, 'hex'))
}
