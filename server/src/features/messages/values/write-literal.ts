import type { Values } from '@peyk/contract'

const escapes: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/** A value as it is written in a template. What would end a template or begin one is escaped. */
export function writeLiteral(value: Values[string] | undefined): string {
  if (typeof value === 'string') return `"${value.replaceAll(/[\\"'{}%\n\r\t]/g, escaped)}"`
  if (typeof value === 'number') return writeNumber(value)
  return value === undefined || value === null ? 'nil' : String(value)
}

function escaped(character: string): string {
  return escapes[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** Templates have no exponents. */
function writeNumber(value: number): string {
  const [digits = '', exponent] = String(Math.abs(value)).split('e')
  const sign = value < 0 ? '-' : ''
  if (exponent === undefined) return sign + digits
  const [whole = '', fraction = ''] = digits.split('.')
  const places = Number(exponent)
  return places < 0
    ? `${sign}0.${whole.padStart(-places, '0')}${fraction}`
    : `${sign}${whole}${fraction.padEnd(places, '0')}`
}
