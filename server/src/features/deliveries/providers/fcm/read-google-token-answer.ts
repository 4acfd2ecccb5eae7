import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { faultWaitMs, later, quotaWaitMs, readNoAnswer } from '../outcomes.ts'
import { readJsonObject, shorten } from '../read-json.ts'

export type GoogleTokenAnswer =
  | { kind: 'token'; token: string; livesMs: number }
  | Extract<Outcome, { kind: 'later' | 'paused' }>

const defaultSeconds = 3_600
const shortestSeconds = 60

/** Google's descriptions of `invalid_grant`, and what a person can do. */
const grantFaults: [words: RegExp, meaning: string][] = [
  [/account not found/i, 'the service account was deleted'],
  [/disabled/i, 'the service account is disabled'],
  [/signature/i, 'the key was deleted in the Google Cloud console, or is not of this service account'],
  [/timeframe|short-lived|\biat\b|\bexp\b|expired/i, 'the clock of this machine is wrong'],
  [/audience/i, 'token_uri is not the one of this service account'],
]

/** What Google's token endpoint answered to a signed assertion. Asking twice harms nobody, so no answer is "later". */
export function readGoogleTokenAnswer(answer: PoolAnswer, now: Date): GoogleTokenAnswer {
  if (answer.kind !== 'answer') {
    const { detail } = readNoAnswer(answer)
    return {
      kind: 'later',
      retryAfterMs: faultWaitMs,
      isForAll: true,
      detail: `no access token from Google: ${detail}`,
    }
  }
  const body = readJsonObject(answer.body)
  const token = body?.access_token
  if (answer.status === 200 && typeof token === 'string' && /^[\x21-\x7e]{1,16384}$/.test(token)) {
    return { kind: 'token', token, livesMs: readLife(body?.expires_in) * 1_000 }
  }
  const error = shorten(body?.error)
  const description = shorten(body?.error_description)
  const detail = ['Google token endpoint', answer.status, error, description && `(${description})`]
    .filter(Boolean)
    .join(' ')
  if (answer.status === 400 && error === '') return asLater(answer, now, faultWaitMs, detail)
  if (answer.status === 400 || answer.status === 401 || answer.status === 403) {
    const meaning = grantFaults.find(([words]) => words.test(description))?.[1]
    return { kind: 'paused', detail: `${detail}: ${meaning ?? 'Google does not take this service account'}` }
  }
  return asLater(answer, now, answer.status === 429 ? quotaWaitMs : faultWaitMs, detail)
}

function asLater(
  answer: Extract<PoolAnswer, { kind: 'answer' }>,
  now: Date,
  defaultMs: number,
  detail: string,
): GoogleTokenAnswer {
  return later(answer, now, { defaultMs, isForAll: true }, detail) as Extract<Outcome, { kind: 'later' }>
}

function readLife(seconds: unknown): number {
  if (typeof seconds !== 'number' || !Number.isFinite(seconds)) return defaultSeconds
  return Math.min(Math.max(seconds, shortestSeconds), defaultSeconds * 12)
}
