import { type StreamType, streamTypes } from '@peyk/contract'
import { invalidCursor } from '#base/page-cursor.ts'

/** How far a reader has come. Without `last`: everything before `us`, and nothing of it or later. */
export interface Place {
  /** Microseconds since 1970. */
  us: number
  /** All up to and with this one of those that have this time. */
  last?: { type: StreamType; key: string }
}

/** What a type has to be asked for: from a time on, and of those at that very time what comes after a key. */
export interface Range {
  from: number
  afterKey?: string
  /** Up to and without. */
  until: number
}

export function rangeAfter(place: Place, type: StreamType, until: number): Range {
  const { us, last } = place
  if (!last || orderOf(type) > orderOf(last.type)) return { from: us, until }
  return type === last.type ? { from: us, afterKey: last.key, until } : { from: us + 1, until }
}

export function orderOf(type: StreamType): number {
  return streamTypes.indexOf(type)
}

export function writeCursor({ us, last }: Place): string {
  return Buffer.from(last ? `${us} ${orderOf(last.type)} ${last.key}` : `${us}`).toString('base64url')
}

export function readCursor(cursor: string): Place {
  const [, us, order, key] =
    /^(\d{1,16})(?: (\d{1,2}) ([^\0]+))?$/s.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (us === undefined || Number(us) > lastUs) throw invalidCursor()
  if (key === undefined) return { us: Number(us) }
  const type = streamTypes[Number(order)]
  if (type === undefined || !keyForms[type].test(key)) throw invalidCursor()
  return { us: Number(us), last: { type, key } }
}

/** The year 2200: later ones are too long in microseconds for a number of JavaScript. */
export const lastUs = 7_258_118_400_000_000

const uuid = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const message = new RegExp(`^${uuid}$`)
const keyForms: Record<StreamType, RegExp> = {
  'message.accepted': message,
  'message.finished': message,
  'message.cancelled': message,
  'message.recalled': message,
  delivery: new RegExp(`^${uuid} \\d{1,15}$`),
  receipt: new RegExp(`^${uuid} \\d{1,15} [a-z]{1,20} [^\\0]*$`, 's'),
  event: message,
  uninstall: /^\d{1,15}$/,
}

/** As PostgreSQL reads it, to the microsecond. */
export function timeText(us: number): string {
  const text = new Date(Math.floor(us / 1000)).toISOString()
  return `${text.slice(0, -1)}${String(us % 1000).padStart(3, '0')}Z`
}
