import type { Values, WantedValue } from '@peyk/contract'
import type { Draft } from '../draft/draft.ts'
import type { LocalFaults } from '../draft/local-fault.ts'

/** What is typed for the values that the texts ask for; undefined where there is none. */
export function composeValues(typed: Draft['values'], wanted: readonly WantedValue[]): Values | undefined {
  const given = wanted.flatMap(({ name }) => (typed[name] ? [[name, readValue(typed[name])] as const] : []))
  return given.length > 0 ? Object.fromEntries(given) : undefined
}

/** Those without a fallback have to be there. */
export function findValueFaults(typed: Draft['values'], wanted: readonly WantedValue[]): LocalFaults {
  const missing = wanted.filter(({ name, required }) => required && !typed[name])
  return Object.fromEntries(missing.map(({ name }) => [`values.${name}`, 'noValue' as const]))
}

/** A number that is written as it is typed is one, and so are yes and no: texts compare and count with them. */
export function readValue(typed: string): Values[string] {
  if (typed === 'true' || typed === 'false') return typed === 'true'
  return /^-?\d/.test(typed) && String(Number(typed)) === typed ? Number(typed) : typed
}
