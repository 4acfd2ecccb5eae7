import { RequestError } from './errors.ts'
import { isUuid } from './ids.ts'

/** A cursor that no page ended with. */
export function invalidCursor(): RequestError {
  return new RequestError('invalid-request', '"cursor": expected the cursor of the page before.', {
    details: { field: 'cursor' },
  })
}

/** Of a list in the order of ids: the last one. */
export function readIdCursor(cursor: string | undefined): string | undefined {
  if (cursor !== undefined && !isUuid(cursor)) throw invalidCursor()
  return cursor
}

/** Of a list in the order of numbers: the last one. */
export function readNumberCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined
  if (!/^\d{1,15}$/.test(cursor)) throw invalidCursor()
  return Number(cursor)
}

/** Of a list in the order of times, and of names where they are alike. */
export interface TimeAndName {
  /** Epoch milliseconds. */
  time: number
  name: string
}

export function writeTimeCursor({ time, name }: TimeAndName): string {
  return Buffer.from(`${time} ${name}`).toString('base64url')
}

export function readTimeCursor(cursor: string | undefined): TimeAndName | undefined {
  if (cursor === undefined) return undefined
  const [, time, name] = /^(\d{1,14}) ([^\0]+)$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || name === undefined) throw invalidCursor()
  return { time: Number(time), name }
}

/** The same where the names are ids. */
export function readTimeAndIdCursor(cursor: string | undefined): TimeAndName | undefined {
  const place = readTimeCursor(cursor)
  if (place && !isUuid(place.name)) throw invalidCursor()
  return place
}
