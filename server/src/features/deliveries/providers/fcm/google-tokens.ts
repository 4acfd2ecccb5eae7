import { createPrivateKey } from 'node:crypto'
import { SignJWT } from 'jose'
import { realTime } from '#base/clock.ts'
import { openPool } from '#base/http-client/open-pool.ts'
import type { Pool } from '#base/http-client/pool.ts'
import type { FcmCredentials } from '#features/accounts/credential-formats/fcm.ts'
import type { ProviderOptions } from '../provider-options.ts'
import { requestUntilSent } from '../request-until-sent.ts'
import { type GoogleTokenAnswer, readGoogleTokenAnswer } from './read-google-token-answer.ts'

export type GoogleAccess =
  /** The headers of a request, one object for all of them. */
  { kind: 'access'; headers: Readonly<Record<string, string>> } | Exclude<GoogleTokenAnswer, { kind: 'token' }>

/** The access token of a service account, shared by all its requests. */
export interface GoogleTokens {
  /** At once, where one is known: thousands of pushes ask in a second. */
  get(): GoogleAccess | Promise<GoogleAccess>
  /** After a 401: a token that is not the one of `refused`. */
  renew(refused: GoogleAccess): Promise<GoogleAccess>
  close(): Promise<void>
}

const scope = 'https://www.googleapis.com/auth/firebase.messaging'
/** A token is renewed when this part of its life is over, while it is still good. */
const renewAfter = 0.8
const pauseBetweenRenewalsMs = 30_000
const pausedForMs = 60_000

/**
 * One renewal is under way at most. A token that is still good goes on being used while it is renewed, also when that
 * fails. A failure without a good token is remembered for as long as it says, so that thousands of waiting pushes do
 * not become thousands of questions.
 */
export function openGoogleTokens(
  credentials: FcmCredentials,
  { endpoints, now, log }: Pick<ProviderOptions, 'endpoints' | 'now' | 'log'>,
): GoogleTokens {
  let pool: Pool | undefined
  let held: { access: GoogleAccess; renewAt: number; endsAt: number } | undefined
  let underWay: Promise<GoogleAccess> | undefined
  const refusedUri = findUriFault(credentials.tokenUri, endpoints)

  async function ask(): Promise<GoogleTokenAnswer> {
    if (refusedUri !== undefined) return { kind: 'paused', detail: refusedUri }
    const { origin, pathname, search } = new URL(credentials.tokenUri)
    pool ??= openPool({ origin, maxConnections: 1, ...(endpoints.ca !== undefined && { ca: endpoints.ca }) })
    const assertion = await sign(credentials, realTime(now))
    const answer = await requestUntilSent(pool, {
      method: 'POST',
      path: pathname + search,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `grant_type=${encodeURIComponent('urn:ietf:params:oauth:grant-type:jwt-bearer')}&assertion=${assertion}`,
    })
    return readGoogleTokenAnswer(answer, realTime(now))
  }

  async function fetchToken(): Promise<GoogleAccess> {
    const answer = await ask().catch((error): GoogleTokenAnswer => {
      log.error({ err: error }, 'no assertion could be signed with the service account')
      return { kind: 'paused', detail: 'the private key of the service account cannot be used' }
    })
    const at = performance.now()
    if (answer.kind === 'token') {
      const headers = { authorization: `Bearer ${answer.token}`, 'content-type': 'application/json' }
      held = {
        access: { kind: 'access', headers },
        renewAt: at + answer.livesMs * renewAfter,
        endsAt: at + answer.livesMs,
      }
    } else if (held?.access.kind === 'access' && at < held.endsAt) {
      log.warn({ detail: answer.detail }, 'the access token of Google could not be renewed; the old one is still good')
      held.renewAt = at + pauseBetweenRenewalsMs
    } else {
      const endsAt = at + (answer.kind === 'later' ? answer.retryAfterMs : pausedForMs)
      held = { access: answer, renewAt: endsAt, endsAt }
    }
    return held.access
  }

  function renewOnce(): Promise<GoogleAccess> {
    underWay ??= fetchToken().finally(() => {
      underWay = undefined
    })
    return underWay
  }

  return {
    get() {
      const at = performance.now()
      if (!held || at >= held.endsAt) return renewOnce()
      if (at >= held.renewAt) void renewOnce()
      return held.access
    },
    async renew(refused) {
      if (held && held.access !== refused) return held.access
      if (!underWay) held = undefined
      return renewOnce()
    },
    async close() {
      await pool?.close()
    },
  }
}

function sign({ clientEmail, privateKey, privateKeyId, tokenUri }: FcmCredentials, now: Date): Promise<string> {
  const issuedAt = Math.floor(now.getTime() / 1_000)
  return new SignJWT({ scope })
    .setProtectedHeader({ alg: 'RS256', typ: 'JWT', ...(privateKeyId !== undefined && { kid: privateKeyId }) })
    .setIssuer(clientEmail)
    .setAudience(tokenUri)
    .setIssuedAt(issuedAt)
    .setExpirationTime(issuedAt + 3_600)
    .sign(createPrivateKey(privateKey))
}

/** The assertion is a key to the project: it goes to Google only, or to the simulator. */
function findUriFault(tokenUri: string, endpoints: ProviderOptions['endpoints']): string | undefined {
  const uri = URL.parse(tokenUri)
  if (uri && endpoints.localOrigins.includes(uri.origin)) return undefined
  if (uri?.protocol === 'https:' && uri.host === endpoints.oauthHost) return undefined
  return `the token_uri of the service account is not on https://${endpoints.oauthHost}`
}
