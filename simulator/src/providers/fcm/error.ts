import type { FaultRule } from '../fault-rule.ts'
import type { Answer } from '../http/answer.ts'

const json = { 'content-type': 'application/json; charset=UTF-8' }
const fcmErrorType = 'type.googleapis.com/google.firebase.fcm.v1.FcmError'
const badRequestType = 'type.googleapis.com/google.rpc.BadRequest'

/** FCM's error codes: the HTTP status, Google's status and the message of each. */
const codes: Record<string, { status: number; rpc: string; message: string }> = {
  INVALID_ARGUMENT: { status: 400, rpc: 'INVALID_ARGUMENT', message: 'Request contains an invalid argument.' },
  THIRD_PARTY_AUTH_ERROR: {
    status: 401,
    rpc: 'UNAUTHENTICATED',
    message: 'Auth error from APNS or Web Push Service',
  },
  SENDER_ID_MISMATCH: { status: 403, rpc: 'PERMISSION_DENIED', message: 'SenderId mismatch' },
  UNREGISTERED: { status: 404, rpc: 'NOT_FOUND', message: 'Requested entity was not found.' },
  QUOTA_EXCEEDED: { status: 429, rpc: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded for quota metric Messages.' },
  INTERNAL: { status: 500, rpc: 'INTERNAL', message: 'Internal error encountered.' },
  UNAVAILABLE: { status: 503, rpc: 'UNAVAILABLE', message: 'The service is currently unavailable.' },
}

/** Google's statuses that come without a code of FCM. */
const rpcStatuses: Record<string, { status: number; message: string }> = {
  UNAUTHENTICATED: {
    status: 401,
    message:
      'Request had invalid authentication credentials. Expected OAuth 2 access token, login cookie or other valid authentication credential.',
  },
  PERMISSION_DENIED: { status: 403, message: "Permission 'cloudmessaging.messages.create' denied on resource." },
  NOT_FOUND: { status: 404, message: 'Requested entity was not found.' },
  DEADLINE_EXCEEDED: { status: 504, message: 'Deadline expired before operation could complete.' },
}

export interface FieldViolation {
  field: string
  description: string
}

/** The answer of FCM for one of its error codes. */
export function fcmError(code: string, status?: number): Answer {
  const known = codes[code]
  if (known) {
    const details = [{ '@type': fcmErrorType, errorCode: code }]
    return googleError(status ?? known.status, known.rpc, known.message, details, code)
  }
  const { status: usual, message } = rpcStatuses[code] ?? { status: 500, message: code }
  return googleError(status ?? usual, code, message, [], code)
}

/** The answer to a request that is wrong in a field. */
export function invalidArgument(violation: FieldViolation): Answer {
  const details = [
    { '@type': fcmErrorType, errorCode: 'INVALID_ARGUMENT' },
    { '@type': badRequestType, fieldViolations: [violation] },
  ]
  return googleError(400, 'INVALID_ARGUMENT', violation.description, details, 'INVALID_ARGUMENT')
}

export function unauthenticated(): Answer {
  const answer = fcmError('UNAUTHENTICATED')
  const challenge = 'Bearer realm="https://accounts.google.com/", error="invalid_token"'
  return { ...answer, headers: { ...answer.headers, 'www-authenticate': challenge } }
}

export function notFound(): Answer {
  return {
    status: 404,
    headers: { 'content-type': 'text/html; charset=UTF-8' },
    body: '<title>Error 404 (Not Found)</title>',
  }
}

export function fcmFault({ status, reason, field }: FaultRule): Answer {
  if (field !== undefined) {
    const answer = invalidArgument({
      field,
      description: 'The registration token is not a valid FCM registration token',
    })
    return { ...answer, status: status ?? 400 }
  }
  if (reason !== undefined) return fcmError(reason, status)
  if (status === undefined) return fcmError('QUOTA_EXCEEDED')
  const [code = ''] = Object.entries(codes).find(([, known]) => known.status === status) ?? []
  if (status === 401) return unauthenticated()
  return status < 300 ? { status, headers: json, body: '{}' } : fcmError(code || 'UNKNOWN', status)
}

function googleError(code: number, status: string, message: string, details: object[], reason: string): Answer {
  const error = { code, message, status, ...(details.length > 0 && { details }) }
  return { status: code, headers: json, body: JSON.stringify({ error }), reason }
}
