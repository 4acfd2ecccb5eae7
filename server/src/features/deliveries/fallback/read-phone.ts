const number = /^[0-9]{8,15}$/

/**
 * [sending.md#sms-fallback] The number an SMS goes to: the attribute `phone`, else the user id when it looks like a
 * number with its country code. Digits only, without a leading + or 00. A `phone` that anybody may have set does not
 * stand in the place of a user id that is a number.
 */
export function readPhone(userId: string, attribute: unknown, isUnverified = false): string | undefined {
  const ofUserId = number.test(userId) ? userId : undefined
  if (attribute === undefined || attribute === null || attribute === '') return ofUserId
  if (isUnverified && ofUserId !== undefined) return ofUserId
  if (typeof attribute !== 'string' && typeof attribute !== 'number') return undefined
  const digits = String(attribute)
    .replace(/[\s().\-\u2010-\u2015]/g, '')
    .replace(/^(\+|00)/, '')
  return number.test(digits) ? digits : undefined
}
