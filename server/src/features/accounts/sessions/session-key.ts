import { createHash, randomBytes } from 'node:crypto'

/** For sessions and sign-in links: what is given out is never stored, only its hash is. */
export function makeKey(): { key: string; hash: Buffer } {
  const key = randomBytes(32).toString('base64url')
  return { key, hash: hashKey(key) }
}

export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}
