import { randomBytes, randomFillSync } from 'node:crypto'

const pool = Buffer.allocUnsafe(10 * 256)
let used = pool.length

/** A UUIDv7: its first 48 bits are the time, so ids sort by time and partitions can be cut by id. */
export function timeOrderedId(at: Date | number): string {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const time = Number(at).toString(16).padStart(12, '0')
  const random = pool.toString('hex', used, used + 10)
  used += 10
  const variant = ((Number.parseInt(random.charAt(3), 16) & 0x3) | 0x8).toString(16)
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`
}

/** The smallest UUID of a moment: a bound for partitions and for questions by time. */
export function firstIdAt(at: Date | number): string {
  const time = Number(at).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
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
