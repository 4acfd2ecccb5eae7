/** The values of a row where they came in, in PostgreSQL's binary form. */
export interface Tuple {
  bytes: Buffer
  starts: number[]
  /** In bytes; or what there is instead of a value. */
  lengths: number[]
}

export const isNull = -1
/** A long value that an update did not change is not sent. */
export const isUnchanged = -2

/** PostgreSQL counts from the year 2000. */
const epochMs = 946_684_800_000
const high = 4_294_967_296

export function createTuple(): Tuple {
  return { bytes: Buffer.alloc(0), starts: [], lengths: [] }
}

export function readText({ bytes, starts, lengths }: Tuple, column: number): string {
  const start = starts[column] as number
  return bytes.toString('utf8', start, start + (lengths[column] as number))
}

/** An integer of four or eight bytes. */
export function readInteger({ bytes, starts, lengths }: Tuple, column: number): number {
  const start = starts[column] as number
  const first = bytes.readInt32BE(start)
  return lengths[column] === 4 ? first : first * high + bytes.readUInt32BE(start + 4)
}

export function readDouble({ bytes, starts }: Tuple, column: number): number {
  return bytes.readDoubleBE(starts[column])
}

/** A timestamptz in whole milliseconds since 1970, rounded down. */
export function readMs(tuple: Tuple, column: number): number {
  return Math.floor(readInteger(tuple, column) / 1_000) + epochMs
}

/** More digits than this a number of JavaScript does not tell apart. */
const sureDigits = 15

/** A numeric; undefined where a number of JavaScript is not the same. */
export function readNumeric({ bytes, starts }: Tuple, column: number): number | undefined {
  const start = starts[column] as number
  const count = bytes.readInt16BE(start)
  const weight = bytes.readInt16BE(start + 2)
  const sign = bytes.readUInt16BE(start + 4)
  if (sign !== 0 && sign !== 0x4000) return undefined
  let digits = ''
  for (let index = 0; index < count; index++) {
    digits += String(bytes.readInt16BE(start + 8 + index * 2)).padStart(4, '0')
  }
  if (digits.replace(/^0+|0+$/g, '').length > sureDigits) return undefined
  const value = count === 0 ? 0 : Number(`${digits}e${(weight - count + 1) * 4}`)
  return sign === 0 ? value : -value
}

/** A text[] without nulls. */
export function readTexts({ bytes, starts }: Tuple, column: number): string[] {
  let at = starts[column] as number
  const dimensions = bytes.readInt32BE(at)
  if (dimensions === 0) return []
  const count = bytes.readInt32BE(at + 12)
  at += 12 + dimensions * 8
  const texts: string[] = []
  for (let index = 0; index < count; index++) {
    const length = bytes.readInt32BE(at)
    at += 4
    texts.push(bytes.toString('utf8', at, at + length))
    at += length
  }
  return texts
}
