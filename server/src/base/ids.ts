import { randomBytes, randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(7 * 256)
let used = pool.length

/** The last id that a clock gave: its time, and a counter of 18 bits within the millisecond. */
interface Series {
  ms: number
  timeDigits: string
  counter: number
}

const lastCounter = 2 ** 18 - 1
const seriesOf = new WeakMap<() => Date, Series>()

/**
 * A UUIDv7 for what is accepted now: those of one clock rise strictly in the order in which they are asked for, also
 * within a millisecond and when the clock steps back (RFC 9562, section 6.2, method 1).
 */
export function nextId(clock: () => Date, at: Date | number = clock()): string {
  let series = seriesOf.get(clock)
  if (!series) {
    series = { ms: Number.NEGATIVE_INFINITY, timeDigits: '', counter: 0 }
    seriesOf.set(clock, series)
  }
  const ms = Number(at)
  if (ms <= series.ms && series.counter < lastCounter) series.counter++
  else {
    series.ms = Math.max(ms, series.ms + 1)
    series.timeDigits = timeDigits(series.ms)
    series.counter = randomCounter()
  }
  return formatId(series.timeDigits, series.counter)
}

/** The id that comes right after another one, in the same millisecond where that has room. */
export function idAfter(id: string): string {
  const counter = counterOf(id) + 1
  if (counter <= lastCounter) return formatId(id.slice(0, 13), counter)
  return formatId(timeDigits(timeOfId(id).getTime() + 1), 0)
}

/** A UUIDv7 of any moment: its first 48 bits are the time, so partitions can be cut by id. */
export function timeOrderedId(at: Date | number): string {
  return formatId(timeDigits(at), randomCounter())
}

function formatId(digits: string, counter: number): string {
  const high = (0x7000 | (counter >>> 6)).toString(16)
  const low = (0x80 | (counter & 0x3f)).toString(16)
  const random = randomDigits()
  return `${digits}-${high}-${low}${random.slice(0, 2)}-${random.slice(2)}`
}

function counterOf(id: string): number {
  return (Number.parseInt(id.slice(15, 18), 16) << 6) | (Number.parseInt(id.slice(19, 21), 16) & 0x3f)
}

/** In the lower half, so that there is always room to count up. */
function randomCounter(): number {
  return Number.parseInt(randomDigits().slice(0, 5), 16) >>> 3
}

function randomDigits(): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  used += 7
  return pool.toString('hex', used - 7, used)
}

function timeDigits(at: Date | number): string {
  const digits = Number(at).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}`
}

/** The smallest UUID of a moment: a bound for partitions and for questions by time. */
export function firstIdAt(at: Date | number): string {
  return `${timeDigits(at)}-0000-0000-000000000000`
}

export function timeOfId(id: string): Date {
  return new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16))
}

export function randomToken(): string {
  return randomBytes(20).toString('hex')
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function isUuid(text: unknown): text is string {
  return typeof text === 'string' && uuidForm.test(text)
}
