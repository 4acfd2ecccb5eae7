import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'

const labelForm = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
/** Hosts below the base host that name no app. */
export const reservedLabels: readonly string[] = ['sandbox', 'panel', 'www', 'api']

/** [requests.md#apps-and-addresses] */
export function checkLabel(label: string): string {
  if (!labelForm.test(label)) {
    throw new RequestError(
      'invalid-request',
      `Expected an app label of 1 to 63 lower-case letters, digits and hyphens (no hyphen at either end), got "${label}".`,
    )
  }
  if (reservedLabels.includes(label)) {
    throw new RequestError(
      'invalid-request',
      `The label "${label}" is reserved: ${reservedLabels.join(', ')} name no app.`,
    )
  }
  return label
}

/** A name that people read, of an app or a token. */
export function checkName(what: string, name: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is refused
  const isReadable = name.isWellFormed() && name.trim() !== '' && !/[\u0000-\u001f\u007f]/.test(name)
  if (isReadable && Buffer.byteLength(name) <= limits.nameBytes) return name.trim()
  throw new RequestError(
    'invalid-request',
    `Expected ${what} as one line of 1 to ${limits.nameBytes} bytes, got "${name.slice(0, 60)}".`,
  )
}
