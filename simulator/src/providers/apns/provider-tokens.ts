import type { KeyObject } from 'node:crypto'
import { isSignedWith, readJwt } from '../jwt.ts'
import { remember } from '../remember.ts'

const lifeSeconds = 3600
const skewSeconds = 300

export interface ProviderTokenRules {
  teamId: string
  keyId: string
  publicKey: KeyObject
  renewalSeconds: number
  now: () => number
}

/** Checks the JWT that a team signs for itself. Answers Apple's reason, or undefined when it is good. */
export function createProviderTokenCheck(
  rules: ProviderTokenRules,
): (authorization: string | undefined) => string | undefined {
  const issuedAtOf = remember(100, (text) => readIssuedAt(text, rules))
  /** When the token that the team uses at present was issued. */
  let current: number | undefined

  return (authorization) => {
    if (authorization === undefined) return 'MissingProviderToken'
    const issuedAt = issuedAtOf(authorization)
    if (issuedAt === null) return 'InvalidProviderToken'
    const age = rules.now() / 1000 - issuedAt
    if (age < -skewSeconds) return 'InvalidProviderToken'
    if (age > lifeSeconds) return 'ExpiredProviderToken'
    if (current !== undefined && issuedAt > current && issuedAt - current < rules.renewalSeconds) {
      return 'TooManyProviderTokenUpdates'
    }
    if (current === undefined || issuedAt > current) current = issuedAt
    return undefined
  }
}

/** Null when the token is not of this team and key. */
function readIssuedAt(authorization: string, { teamId, keyId, publicKey }: ProviderTokenRules): number | null {
  if (!/^bearer /i.test(authorization)) return null
  const jwt = readJwt(authorization.slice(7))
  if (!jwt || jwt.header.kid !== keyId || jwt.claims.iss !== teamId) return null
  if (typeof jwt.claims.iat !== 'number' || !isSignedWith(jwt, 'ES256', publicKey)) return null
  return jwt.claims.iat
}
