import type { Tuple } from './tuple.ts'

const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1')
const afterFlags = signature.length + 8

/** A message of `copy … to stdout (format binary)`: a row, after the header the first time. False after the last row. */
export function readCopiedRow(bytes: Buffer, tuple: Tuple): boolean {
  let at = 0
  if (bytes.length >= afterFlags && bytes.compare(signature, 0, signature.length, 0, signature.length) === 0) {
    at = afterFlags
    if (at === bytes.length) return false
  }
  const columns = bytes.readInt16BE(at)
  if (columns === -1) return false
  at += 2
  tuple.bytes = bytes
  for (let column = 0; column < columns; column++) {
    const length = bytes.readInt32BE(at)
    at += 4
    tuple.starts[column] = at
    tuple.lengths[column] = length
    if (length > 0) at += length
  }
  return true
}
