import { readEventTime } from './event-time.ts'

const dateText = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}/

/** A device's time: what back ends may send, or a JavaScript date as text. Undefined for what cannot be a time. */
export function readClientTime(sent: unknown, now: number): number | undefined {
  const value = typeof sent === 'string' && dateText.test(sent) ? Date.parse(sent) : sent
  return readEventTime(value, now)?.at
}
