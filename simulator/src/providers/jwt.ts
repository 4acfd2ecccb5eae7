import { type KeyObject, verify } from 'node:crypto'
import { readObject } from './json.ts'

export interface Jwt {
  header: Record<string, unknown>
  claims: Record<string, unknown>
  signed: Buffer
  signature: Buffer
}

/** Undefined when it has not the form of a JWT. Nothing of it is believed yet. */
export function readJwt(text: string): Jwt | undefined {
  const parts = text.split('.')
  if (parts.length !== 3) return undefined
  const [header, claims] = parts.slice(0, 2).map(readPart)
  if (!header || !claims) return undefined
  return {
    header,
    claims,
    signed: Buffer.from(text.slice(0, text.lastIndexOf('.'))),
    signature: Buffer.from(parts[2] as string, 'base64url'),
  }
}

export function isSignedWith(jwt: Jwt, algorithm: 'RS256' | 'ES256', key: KeyObject): boolean {
  if (jwt.header.alg !== algorithm) return false
  const verifier = algorithm === 'RS256' ? key : ({ key, dsaEncoding: 'ieee-p1363' } as const)
  return verify('sha256', jwt.signed, verifier, jwt.signature)
}

function readPart(part: string): Record<string, unknown> | undefined {
  return readObject(Buffer.from(part, 'base64url').toString())
}
