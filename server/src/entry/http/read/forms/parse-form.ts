import { isUtf8 } from 'node:buffer'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { checkFormSize } from './check-form-size.ts'
import { FormPart } from './form-part.ts'

const percent = 37
const plus = 43
const space = 32

/**
 * Parses `a=1&b[c]=2&d[]=3&e[0]=4`. Visits each parameter once to read it and once to build its value, so the cost
 * grows with the bytes, whatever the names are. A form beyond a limit is refused, never truncated.
 */
export function parseForm(text: string): Record<string, unknown> {
  checkFormSize(Buffer.byteLength(text), limits.formBytes, 'bytes')
  const root = new FormPart()
  let count = 0
  let parts = 0
  for (let start = 0; start < text.length; ) {
    const next = text.indexOf('&', start)
    const end = next < 0 ? text.length : next
    if (end > start) {
      checkFormSize(++count, limits.formParameters, 'parameters')
      parts += addParameter(root, text.slice(start, end))
      checkFormSize(parts, limits.formParts, 'parts of names')
    }
    start = end + 1
  }
  return root.toObject()
}

/** Returns the number of parts in its name. */
function addParameter(root: FormPart, parameter: string): number {
  const equals = parameter.indexOf('=')
  const name = decode(equals < 0 ? parameter : parameter.slice(0, equals))
  const value = equals < 0 ? '' : decode(parameter.slice(equals + 1))
  if (name.includes('\0') || value.includes('\0')) {
    const field = name.replaceAll('\0', '').slice(0, 100)
    throw new RequestError('invalid-text', `"${field}" contains the character U+0000.`, { details: { field } })
  }
  const bracket = hasBrackets(name) ? name.indexOf('[') : name.length
  let part = root.named(name.slice(0, bracket))
  let depth = 1
  for (let start = bracket + 1; start < name.length; ) {
    checkFormSize(++depth, limits.jsonDepth, 'levels')
    const end = name.indexOf(']', start)
    const isLast = end === name.length - 1
    if (isLast && end === start) part.isList = true
    else {
      const parent = part
      part = parent.inBrackets(end > start ? name.slice(start, end) : '0')
      if (parent.isMixed) throw mixed(name)
    }
    start = end + 2
  }
  part.add(value)
  if (part.isMixed) throw mixed(name)
  return depth
}

/** Whether the name has the form `a[b][c]`. Unbalanced brackets belong to the name. */
const hasBrackets = (name: string) => name.endsWith(']') && /^[^[]+(?:\[[^[\]]*\])+$/.test(name)

function mixed(name: string): RequestError {
  const field = name.slice(0, 100)
  return new RequestError('invalid-request', `"${field}" is sent both as a text and as an object.`, {
    details: { field },
  })
}

/** A percent sign that starts no valid escape stands for itself, and text that is not UTF-8 stays encoded. */
function decode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  const bytes = Buffer.from(text)
  let length = 0
  for (let at = 0; at < bytes.length; length++) {
    const byte = bytes[at] as number
    const encoded = byte === percent ? hexDigit(bytes[at + 1]) * 16 + hexDigit(bytes[at + 2]) : Number.NaN
    bytes[length] = encoded >= 0 ? encoded : byte === plus ? space : byte
    at += encoded >= 0 ? 3 : 1
  }
  const decoded = bytes.toString('utf8', 0, length)
  return decoded.includes('\ufffd') && !isUtf8(bytes.subarray(0, length)) ? text : decoded
}

function hexDigit(code: number | undefined): number {
  if (code === undefined) return Number.NaN
  if (code >= 48 && code <= 57) return code - 48
  const letter = code | 32
  return letter >= 97 && letter <= 102 ? letter - 87 : Number.NaN
}
