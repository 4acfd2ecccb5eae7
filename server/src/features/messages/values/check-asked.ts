import type { Values } from '@peyk/contract'
import { closestWord } from '#base/closest-word.ts'
import { RequestError } from '#base/errors.ts'
import { findValuePlaces, mayAskForValues } from './value-places.ts'

/** What the texts of a message may still ask for. */
export interface AskedValues {
  /** What the send gave and no text asks for. */
  given?: Values | undefined
  /** `later`: it is a template, and a send gives them. `settled`: it was accepted before. */
  values?: 'now' | 'later' | 'settled' | undefined
}

/** [ADR-0202] Refuses a text that asks for a value that is not given and has no fallback, or does not say for which. */
export function checkAsked(field: string, text: string, { given = {}, values = 'now' }: AskedValues): void {
  if (values === 'settled' || !mayAskForValues(text)) return
  const places = findValuePlaces(text)
  if (!places) throw unnamed(field)
  const missing = values === 'now' ? places.find(({ isRequired }) => isRequired) : undefined
  if (missing) throw lacking(missing.name, field, Object.keys(given))
}

function lacking(name: string, field: string, given: readonly string[]): RequestError {
  const meant = closestWord(name, given)
  const hint = meant === undefined ? '' : ` Perhaps "values.${meant}" is meant.`
  const message = `"values.${name}" is missing: "${field}" asks for it and has no fallback.${hint}`
  return new RequestError('invalid-request', message, { details: { field: `values.${name}`, askedBy: field } })
}

function unnamed(field: string): RequestError {
  const message = `"${field}": expected the name of each value, such as {{ values.orderId }}.`
  return new RequestError('invalid-request', message, { details: { field } })
}
