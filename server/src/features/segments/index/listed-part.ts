/** So many numbers one part spans: it is cut into batches in one go. */
export const numbersPerPart = 65_536

/** The installations of an audience whose numbers are above `upTo - numbersPerPart`, and not above `upTo`. */
export interface ListedPart {
  upTo: number
  count: number
  /** A bit for each number of the span, from the lowest. */
  bits: Uint8Array
}

/** In rising order. */
export function numbersIn({ upTo, count, bits }: ListedPart): Float64Array {
  const numbers = new Float64Array(count)
  const lowest = upTo - numbersPerPart + 1
  let found = 0
  for (let byte = 0; byte < bits.length; byte++) {
    for (let left = bits[byte] as number; left !== 0; left &= left - 1) {
      numbers[found++] = lowest + byte * 8 + 31 - Math.clz32(left & -left)
    }
  }
  return numbers
}
