/**
 * [choice 29] The number an SMS goes to: the attribute `phone`, else the user id when it looks like a number with its
 * country code. Digits only, without a leading + or 00.
 */
export function readPhone(userId: string, attribute: unknown): string | undefined {
  if (attribute === undefined || attribute === null || attribute === '') {
    return /^[0-9]{8,15}$/.test(userId) ? userId : undefined
  }
  if (typeof attribute !== 'string' && typeof attribute !== 'number') return undefined
  const digits = String(attribute)
    .replace(/[\s().\-\u2010-\u2015]/g, '')
    .replace(/^(\+|00)/, '')
  return /^[0-9]{8,15}$/.test(digits) ? digits : undefined
}
