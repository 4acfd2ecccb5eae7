import { createPublicKey } from 'node:crypto'
import { isSignedWith, readJwt } from '../jwt.ts'
import { remember } from '../remember.ts'
import { hashVapidKey } from '../tokens.ts'

const maxLifeSeconds = 24 * 3600
const contactForm = /^(mailto:[^\s@]+@[^\s@]+|https:\/\/\S+)$/

interface Vapid {
  audience: string
  expiresAt: number
  keyHash: string
}

export interface VapidProblem {
  status: 401 | 403
  reason: string
}

/** Checks `Authorization: vapid t=…, k=…` [RFC 8292]. */
export function createVapidCheck(origin: string, now: () => number) {
  const read = remember(1000, readVapid)

  return (authorization: string | undefined, keyHash: string | undefined): VapidProblem | undefined => {
    if (authorization === undefined) return { status: 401, reason: 'An Authorization header with VAPID is required' }
    const vapid = read(authorization)
    if ('status' in vapid) return vapid
    const remaining = vapid.expiresAt - now() / 1000
    if (remaining <= 0) return { status: 403, reason: 'The VAPID token has expired' }
    if (remaining > maxLifeSeconds) return { status: 403, reason: 'The VAPID token lives longer than 24 hours' }
    if (vapid.audience !== origin) return { status: 403, reason: `The VAPID audience is not ${origin}` }
    if (keyHash !== undefined && keyHash !== vapid.keyHash) {
      return { status: 403, reason: 'The VAPID key is not the one that the subscription was made with' }
    }
    return undefined
  }
}

function readVapid(authorization: string): Vapid | VapidProblem {
  const parameters = /^vapid\s+(.*)$/i.exec(authorization)?.[1]?.split(',') ?? []
  const values = new Map(parameters.map((each) => each.trim().split(/=(.*)/s).slice(0, 2) as [string, string]))
  const [token, key] = [values.get('t'), values.get('k')]
  if (!token || !key) return { status: 401, reason: 'Expected Authorization: vapid t=…, k=…' }
  const jwt = readJwt(token)
  const publicKey = readPublicKey(key)
  if (!jwt || !publicKey) return { status: 403, reason: 'The VAPID token or key has not the right form' }
  if (!isSignedWith(jwt, 'ES256', publicKey)) return { status: 403, reason: 'The VAPID signature is wrong' }
  const { aud, exp, sub } = jwt.claims
  if (typeof aud !== 'string' || typeof exp !== 'number')
    return { status: 403, reason: 'The VAPID token lacks aud or exp' }
  if (typeof sub !== 'string' || !contactForm.test(sub)) {
    return { status: 403, reason: 'The VAPID subject is neither mailto: nor https:' }
  }
  return { audience: aud, expiresAt: exp, keyHash: hashVapidKey(key) }
}

function readPublicKey(text: string) {
  const point = Buffer.from(text, 'base64url')
  if (point.length !== 65 || point[0] !== 4) return undefined
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url')) as [
    string,
    string,
  ]
  try {
    return createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  } catch {
    return undefined
  }
}
