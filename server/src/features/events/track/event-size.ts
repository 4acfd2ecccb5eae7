import { limits } from '#base/config.ts'
import type { EventData } from '../event.ts'

/** What keeps an event's data from being stored as it is. */
export function findSizeFault(data: EventData): string | undefined {
  let names = 0
  let characters = 0
  for (const name in data) {
    names++
    characters += name.length + charactersOf(data[name])
  }
  if (names > limits.eventDataNames) return `has ${names} names; ${limits.eventDataNames} are allowed`
  // A character takes 6 bytes at most, as \u0001: most events need no closer look.
  if (characters * 6 <= limits.eventDataBytes) return undefined
  const bytes = Buffer.byteLength(JSON.stringify(data))
  return bytes > limits.eventDataBytes
    ? `takes ${bytes} bytes as JSON; ${limits.eventDataBytes} are allowed`
    : undefined
}

function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + charactersOfPlain(item), 6)
  return charactersOfPlain(value)
}

/** With the quotes and the comma, and room for any number. What is neither is refused anyway. */
function charactersOfPlain(value: unknown): number {
  return typeof value === 'string' ? value.length + 6 : 30
}
