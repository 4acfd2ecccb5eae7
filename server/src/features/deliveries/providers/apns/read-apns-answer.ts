import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { faultWaitMs, later, quotaWaitMs, readNoAnswer } from '../outcomes.ts'
import { readJsonObject, shorten } from '../read-json.ts'

/** What Apple's reasons for a 403 mean to a person. */
const credentialReasons: Record<string, string> = {
  InvalidProviderToken: 'the key id, the team id and the .p8 key do not belong together, or the key was revoked',
  MissingProviderToken: 'the request came without a token',
  ExpiredProviderToken: 'Apple calls the token expired; is the clock of this machine right?',
  BadCertificate: 'the certificate is bad',
  BadCertificateEnvironment: 'the key or certificate is for the other environment (sandbox or production)',
  BadEnvironmentKeyIdInToken: 'the key is for the other environment (sandbox or production)',
  UnrelatedKeyIdInToken: 'the key id is not one of this team',
  Forbidden: 'the key may not send to this app',
}

/** Faults of the connection that Apple answers with a 400. */
const connectionReasons = new Set(['IdleTimeout'])

/** What APNs made of a push. `ExpiredProviderToken` is `paused`: the caller renews once before it believes that. */
export function readApnsAnswer(answer: PoolAnswer, now: Date, tokenChangedAt: Date | null): Outcome {
  if (answer.kind !== 'answer') return readNoAnswer(answer)
  const { status } = answer
  if (status === 200) return { kind: 'accepted' }
  const body = readJsonObject(answer.body)
  const reason = shorten(body?.reason)
  const detail = reason === '' ? `APNs ${status}` : `APNs ${status} ${reason}`
  switch (status) {
    case 400:
      if (reason === 'BadDeviceToken') return { kind: 'gone', detail }
      if (connectionReasons.has(reason)) return later(answer, now, { defaultMs: faultWaitMs }, detail)
      return { kind: 'refused', detail }
    case 401:
    case 403:
      return { kind: 'paused', detail: `${detail}: ${credentialReasons[reason] ?? 'Apple does not take the key'}` }
    case 404:
      return later(answer, now, { defaultMs: quotaWaitMs }, detail)
    case 410:
      if (reason !== 'Unregistered' && reason !== 'ExpiredToken')
        return later(answer, now, { defaultMs: quotaWaitMs }, detail)
      if (isNewer(tokenChangedAt, body?.timestamp))
        return later(answer, now, { defaultMs: quotaWaitMs }, `${detail}, but the device gave this token again since`)
      return { kind: 'gone', detail }
    case 429:
      // Of one device. Any other 429, such as TooManyProviderTokenUpdates, is about us.
      return later(answer, now, { defaultMs: quotaWaitMs, isForAll: reason !== 'TooManyRequests' }, detail)
  }
  return status === 405 || status === 413
    ? { kind: 'refused', detail }
    : later(answer, now, { defaultMs: faultWaitMs }, detail)
}

/** Apple asks for a new token: the answer says that the old one is past its hour. */
export function isExpiredProviderToken(answer: PoolAnswer): boolean {
  return (
    answer.kind === 'answer' && answer.status === 403 && readJsonObject(answer.body)?.reason === 'ExpiredProviderToken'
  )
}

/** One such device is gone; many at once mean that the key is used in the wrong environment. */
export function hintsAtWrongEnvironment(outcome: Outcome): boolean {
  return outcome.kind === 'gone' && outcome.detail.includes('BadDeviceToken')
}

/** Apple's timestamp is when it last knew the token to be dead, in milliseconds. */
function isNewer(tokenChangedAt: Date | null, timestamp: unknown): boolean {
  return tokenChangedAt !== null && typeof timestamp === 'number' && tokenChangedAt.getTime() > timestamp
}
