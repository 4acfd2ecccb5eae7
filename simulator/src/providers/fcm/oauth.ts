import type { KeyObject } from 'node:crypto'
import type { Answer } from '../http/answer.ts'
import { isSignedWith, readJwt } from '../jwt.ts'

const grantType = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const scopes = ['https://www.googleapis.com/auth/firebase.messaging', 'https://www.googleapis.com/auth/cloud-platform']
/** What Google takes for itself, besides the address that was asked. */
const googleAudiences = [
  'https://oauth2.googleapis.com/token',
  'https://accounts.google.com/o/oauth2/token',
  'https://www.googleapis.com/oauth2/v4/token',
]
const maxLifeSeconds = 3600
const skewSeconds = 300

export interface OauthWorld {
  clientEmail: string
  privateKeyId: string
  publicKey: KeyObject
  audiences: readonly string[]
  now: () => number
  issue: () => { token: string; expiresIn: number }
}

/** `POST /token` with a JWT that the service account signed [RFC 7523]. */
export function answerTokenRequest(body: Buffer, world: OauthWorld): Answer {
  const form = new URLSearchParams(body.toString())
  if (form.get('grant_type') !== grantType) {
    return refuse('unsupported_grant_type', `Invalid grant_type: ${form.get('grant_type') ?? ''}`)
  }
  const problem = findProblem(form.get('assertion') ?? '', world)
  if (problem) return refuse(...problem)
  const { token, expiresIn } = world.issue()
  const answer = { access_token: token, expires_in: expiresIn, token_type: 'Bearer' }
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(answer) }
}

function findProblem(assertion: string, world: OauthWorld): [error: string, description: string] | undefined {
  const jwt = readJwt(assertion)
  if (!jwt) return ['invalid_grant', 'Bad Request']
  const { iss, aud, scope, iat, exp } = jwt.claims
  if (iss !== world.clientEmail) return ['invalid_grant', 'Invalid grant: account not found']
  if (jwt.header.kid !== undefined && jwt.header.kid !== world.privateKeyId) {
    return ['invalid_grant', 'Invalid JWT: kid is not a key of this account.']
  }
  if (!isSignedWith(jwt, 'RS256', world.publicKey)) return ['invalid_grant', 'Invalid JWT Signature.']
  if (typeof aud !== 'string' || !(world.audiences.includes(aud) || googleAudiences.includes(aud))) {
    return ['invalid_grant', 'Invalid JWT: Failed audience check.']
  }
  const now = world.now() / 1000
  const isInTime =
    typeof iat === 'number' &&
    typeof exp === 'number' &&
    iat <= now + skewSeconds &&
    exp > now &&
    exp > iat &&
    exp - iat <= maxLifeSeconds
  if (!isInTime) {
    return [
      'invalid_grant',
      'Invalid JWT: Token must be a short-lived token (60 minutes) and in a reasonable timeframe. Check your iat and exp values in the JWT claim.',
    ]
  }
  if (typeof scope !== 'string' || !scope.split(' ').some((one) => scopes.includes(one))) {
    return ['invalid_scope', 'Invalid OAuth scope or ID token audience provided.']
  }
  return undefined
}

const jsonHeaders = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-cache, no-store' }

function refuse(error: string, description: string): Answer {
  return {
    status: 400,
    headers: jsonHeaders,
    body: JSON.stringify({ error, error_description: description }),
    reason: error,
  }
}

export function oauthFault({ status, reason }: { status?: number; reason?: string }): Answer {
  const answer = refuse(reason ?? 'invalid_grant', 'Asked for by a rule of the simulator.')
  return { ...answer, status: status ?? 400 }
}
