/**
 * RFC 7541, appendix B: how many bits the code of each byte has, and at last that of the end. The codes follow from it:
 * they are numbered upwards, short ones first, and bytes with codes of one length in their order.
 */
// biome-ignore format: sixteen in a row
const codeLengths = [
  13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
  28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
  6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
  5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
  13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
  7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
  15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
  6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
  20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
  24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
  22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
  21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
  26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
  19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
  20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
  26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
  30,
]
const endOfString = 256

/** Two places for each fork: where a 0 and a 1 lead. Another fork when positive, else the complement of a byte. */
const forks = growForks()

function growForks(): Int16Array {
  const found = new Int16Array(2 * endOfString)
  let used = 1
  let code = 0
  let length = 0
  const inOrder = codeLengths.map((_, byte) => byte).sort((a, b) => lengthOf(a) - lengthOf(b) || a - b)
  for (const byte of inOrder) {
    code <<= lengthOf(byte) - length
    length = lengthOf(byte)
    let fork = 0
    for (let bit = length - 1; bit > 0; bit--) {
      const place = 2 * fork + ((code >>> bit) & 1)
      if (found[place] === 0) found[place] = used++
      fork = found[place] as number
    }
    found[2 * fork + (code & 1)] = ~byte
    code++
  }
  return found
}

function lengthOf(byte: number): number {
  return codeLengths[byte] as number
}

/** Undefined where it is not written as it should be. */
export function decodeHuffman(bytes: Buffer, start: number, end: number): string | undefined {
  let text = ''
  let fork = 0
  let bitsSince = 0
  let areOnes = true
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    for (let bit = 7; bit >= 0; bit--) {
      const one = (byte >> bit) & 1
      const next = forks[2 * fork + one] as number
      if (next > 0) {
        fork = next
        bitsSince++
        areOnes &&= one === 1
        continue
      }
      if (~next === endOfString) return undefined
      text += String.fromCharCode(~next)
      fork = 0
      bitsSince = 0
      areOnes = true
    }
  }
  // What is left of the last byte is the beginning of the code of the end.
  return bitsSince < 8 && areOnes ? text : undefined
}
