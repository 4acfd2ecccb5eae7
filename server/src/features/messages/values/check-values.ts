import { show, type Values } from '@peyk/contract'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { isValueName } from './value-places.ts'

const longestShown = 40

/** What of a send’s values is given: `null` is not. Refuses more than is kept, and names that no text can ask for. */
export function checkValues(values: Readonly<Values>): Values {
  const given = Object.entries(values).filter(([, value]) => value !== null)
  if (given.length > limits.valuesPerMessage) {
    throw tooLarge(`"values" has ${given.length} values; at most ${limits.valuesPerMessage} are allowed.`)
  }
  for (const [key] of given) {
    if (isValueName(key)) continue
    const expected = 'a name of a letter and up to 63 letters, digits, "_" and "-"'
    throw new RequestError('invalid-request', `"values": expected ${expected}, got ${show(key)}.`, {
      details: { field: `values.${key.slice(0, longestShown)}` },
    })
  }
  const bytes = Buffer.byteLength(JSON.stringify(values))
  if (bytes > limits.valuesBytes) {
    throw tooLarge(`"values" takes ${bytes} bytes as JSON; ${limits.valuesBytes} are allowed.`)
  }
  return Object.fromEntries(given)
}

function tooLarge(message: string): RequestError {
  return new RequestError('too-large', message, { details: { field: 'values' } })
}
