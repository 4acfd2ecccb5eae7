/** A bit for each row, 32 in a word. What is beyond the last row means nothing. */
export type Bitmap = Uint32Array<ArrayBuffer>

export function createBitmap(rows: number): Bitmap {
  return new Uint32Array((rows + 31) >>> 5)
}

export function intersect(bits: Bitmap, other: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] as number) & (other[word] as number)
  return bits
}

export function unite(bits: Bitmap, other: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] as number) | (other[word] as number)
  return bits
}

export function subtract(bits: Bitmap, other: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) bits[word] = (bits[word] as number) & ~(other[word] as number)
  return bits
}

export function invert(bits: Bitmap): Bitmap {
  for (let word = 0; word < bits.length; word++) bits[word] = ~(bits[word] as number)
  return bits
}

export function countBits(bits: Bitmap): number {
  let total = 0
  for (let index = 0; index < bits.length; index++) {
    let word = bits[index] as number
    word -= (word >>> 1) & 0x55555555
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333)
    total += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
  }
  return total
}
