import type { PoolAnswer } from '#base/http-client/pool.ts'
import type { Outcome } from '../../provider.ts'
import { type Answer, faultWaitMs, later, quotaWaitMs, readNoAnswer } from '../outcomes.ts'
import { asList, asObject, readJsonObject, shorten } from '../read-json.ts'

interface FcmError {
  /** `INVALID_ARGUMENT`, `NOT_FOUND`, …: the word for the HTTP status. */
  status: string
  /** FCM's own word, where it gives one: `UNREGISTERED`, `QUOTA_EXCEEDED`, … */
  code: string
  /** Google's reason for a 403, such as `SERVICE_DISABLED`. */
  reason: string
  message: string
  fields: string[]
  quotaSubjects: string[]
}

/** What FCM made of a push. A 401 is `paused`: the caller may have renewed its token before it believes that. */
export function readFcmAnswer(answer: PoolAnswer, now: Date): Outcome {
  if (answer.kind !== 'answer') return readNoAnswer(answer)
  if (answer.status === 200) return readAccepted(answer)
  const error = readFcmError(answer.body)
  const detail = describe(answer.status, error)
  switch (answer.status) {
    case 400:
      return error.status === 'INVALID_ARGUMENT' && error.fields.includes('message.token')
        ? { kind: 'gone', detail }
        : { kind: 'refused', detail }
    case 401:
      return { kind: 'paused', detail: explain401(error, detail) }
    case 403:
      return error.code === 'SENDER_ID_MISMATCH'
        ? { kind: 'refused', isForeign: true, detail: `${detail}: the token belongs to another Firebase project` }
        : { kind: 'paused', detail: explain403(error, detail) }
    case 404:
      // Only the word says that the token is dead: a wrong path or a proxy answers 404 too.
      return error.code === 'UNREGISTERED'
        ? { kind: 'gone', detail }
        : later(answer, now, { defaultMs: quotaWaitMs }, detail)
    case 429:
      return later(
        answer,
        now,
        { defaultMs: quotaWaitMs, isForAll: !isOfDevice(error), isQuota: !isOfDevice(error) },
        detail,
      )
  }
  return isOurFault(answer.status)
    ? { kind: 'refused', detail }
    : later(answer, now, { defaultMs: faultWaitMs }, detail)
}

/** 408 and 425 are asked to be sent again; the other 4xx never become right by themselves. */
export function isOurFault(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425
}

/** As Google writes it. Thousands of them come in a second, so this one is not read as JSON. */
const usualAccepted = /^\{[ \n\r\t]*"name"[ \n\r\t]*:[ \n\r\t]*"[ !#-[\]-~]*"[ \n\r\t]*\}[ \n\r\t]*$/

function readAccepted(answer: Answer): Outcome {
  if (usualAccepted.test(answer.body)) return { kind: 'accepted' }
  if (typeof readJsonObject(answer.body)?.name === 'string') return { kind: 'accepted' }
  return { kind: 'unknown', detail: 'FCM answered 200 without the name of a message' }
}

function readFcmError(body: string): FcmError {
  const error = asObject(readJsonObject(body)?.error)
  const details = asList(error?.details).map((item) => asObject(item) ?? {})
  const ofType = (type: string) =>
    details.find((item) => typeof item['@type'] === 'string' && item['@type'].endsWith(type))
  return {
    status: shorten(error?.status),
    code: shorten(ofType('FcmError')?.errorCode),
    reason: shorten(ofType('ErrorInfo')?.reason),
    message: shorten(error?.message),
    fields: texts(ofType('BadRequest')?.fieldViolations, 'field'),
    quotaSubjects: texts(ofType('QuotaFailure')?.violations, 'subject'),
  }
}

function texts(list: unknown, field: string): string[] {
  return asList(list).flatMap((item) => {
    const text = asObject(item)?.[field]
    return typeof text === 'string' ? [text] : []
  })
}

/** FCM also limits how fast one device is written to; that is no reason to hold the others. */
function isOfDevice(error: FcmError): boolean {
  return error.quotaSubjects.length > 0 && error.quotaSubjects.every((subject) => /^(device|token)\b/i.test(subject))
}

function describe(status: number, error: FcmError): string {
  const word = error.code || error.status
  return [`FCM ${status}`, word, error.message && `(${error.message})`].filter(Boolean).join(' ')
}

function explain401(error: FcmError, detail: string): string {
  return error.code === 'THIRD_PARTY_AUTH_ERROR'
    ? `${detail}: the APNs key or the web push key that was uploaded to Firebase is missing or wrong`
    : `${detail}: Google does not take the access token of this service account`
}

function explain403(error: FcmError, detail: string): string {
  if (error.reason === 'SERVICE_DISABLED' || /has not been used|is disabled/.test(error.message)) {
    return `${detail}: the Firebase Cloud Messaging API is not enabled in this project; enable it in the Google Cloud console`
  }
  return `${detail}: the service account may not send in this project; give it the role "Firebase Cloud Messaging API Admin"`
}
