import type { FaultRule } from '../fault-rule.ts'
import type { Answer } from '../http/answer.ts'

/** Apple's reasons and the status of each. */
const statuses: Record<string, number> = {
  BadCollapseId: 400,
  BadDeviceToken: 400,
  BadExpirationDate: 400,
  BadMessageId: 400,
  BadPriority: 400,
  BadTopic: 400,
  DeviceTokenNotForTopic: 400,
  DuplicateHeaders: 400,
  IdleTimeout: 400,
  InvalidPushType: 400,
  MissingDeviceToken: 400,
  MissingTopic: 400,
  PayloadEmpty: 400,
  TopicDisallowed: 400,
  BadCertificate: 403,
  BadCertificateEnvironment: 403,
  ExpiredProviderToken: 403,
  Forbidden: 403,
  InvalidProviderToken: 403,
  MissingProviderToken: 403,
  UnrelatedKeyIdInToken: 403,
  BadEnvironmentKeyInToken: 403,
  BadPath: 404,
  MethodNotAllowed: 405,
  ExpiredToken: 410,
  Unregistered: 410,
  PayloadTooLarge: 413,
  TooManyProviderTokenUpdates: 429,
  TooManyRequests: 429,
  InternalServerError: 500,
  ServiceUnavailable: 503,
  Shutdown: 503,
}

/** The reason that a status has most often. */
const usual: Record<number, string> = {
  400: 'BadDeviceToken',
  403: 'InvalidProviderToken',
  404: 'BadPath',
  405: 'MethodNotAllowed',
  410: 'Unregistered',
  413: 'PayloadTooLarge',
  429: 'TooManyRequests',
  500: 'InternalServerError',
  503: 'ServiceUnavailable',
}

export function apnsError(reason: string, apnsId: string, more: { status?: number; timestamp?: number } = {}): Answer {
  const status = more.status ?? statuses[reason] ?? 400
  return {
    status,
    headers: { 'apns-id': apnsId },
    body: JSON.stringify({ reason, ...(more.timestamp !== undefined && { timestamp: more.timestamp }) }),
    reason,
  }
}

export function apnsFault(rule: FaultRule, apnsId: string, now: number): Answer {
  if (rule.status !== undefined && rule.status < 300) return { status: rule.status, headers: { 'apns-id': apnsId } }
  const reason = rule.reason ?? usual[rule.status ?? 429] ?? 'InternalServerError'
  const status = rule.status ?? statuses[reason] ?? 400
  return apnsError(reason, apnsId, { status, ...(status === 410 && { timestamp: rule.timestamp ?? now }) })
}
