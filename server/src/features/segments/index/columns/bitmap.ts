import { grow } from './grow.ts'

/** A bit for each row, 32 in a word. What is beyond the last row means nothing. */
export type Bitmap = Uint32Array<ArrayBuffer>

export function createBitmap(rows: number): Bitmap {
  return lent ? lend((rows + 31) >>> 5).fill(0) : new Uint32Array((rows + 31) >>> 5)
}

export function copyBitmap(bits: Bitmap): Bitmap {
  if (!lent) return bits.slice()
  const copied = lend(bits.length)
  copied.set(bits)
  return copied
}

/** Room for so many words more is taken at once, so that a bitmap is of use again when there are more rows. */
const spareWords = 16_384
/** A question that needs more of them leaves the rest to the garbage collector. */
const mostKept = 32
let free: Bitmap[] = []
let lent: Bitmap[] | undefined

/**
 * While it works, bitmaps are those of the work before; none may be kept beyond. New memory is cleared by the system page
 * by page, when it is first touched: of millions of rows that took longer than most questions.
 */
export function lendBitmaps<Result>(work: () => Result): Result {
  lent = []
  try {
    return work()
  } finally {
    free = [...free, ...lent].slice(-mostKept)
    lent = undefined
  }
}

function lend(words: number): Bitmap {
  const whole = free.pop()
  const fitting = whole && whole.length >= words ? whole : new Uint32Array(words + spareWords)
  lent?.push(fitting)
  return fitting.subarray(0, words)
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
  for (let word = 0; word < bits.length; word++) total += countOnes(bits[word] as number)
  return total
}

/** As `intersect`; answers how many are left. */
export function intersectAndCount(bits: Bitmap, other: Bitmap): number {
  let total = 0
  for (let word = 0; word < bits.length; word++) {
    const both = (bits[word] as number) & (other[word] as number)
    bits[word] = both
    total += countOnes(both)
  }
  return total
}

/** In how many bits the two differ, by one word of sixteen. */
export function estimateDifferent(bits: Bitmap, other: Bitmap): number {
  const shared = Math.min(bits.length, other.length)
  let total = 0
  for (let word = 0; word < shared; word += 16) total += countOnes((bits[word] as number) ^ (other[word] as number))
  return total * 16
}

function countOnes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** One that grows with the rows that are set in it. */
export class GrowingBitmap {
  private words: Bitmap

  constructor(words = createBitmap(0)) {
    this.words = words
  }

  set(row: number): void {
    const word = row >>> 5
    this.words = grow(this.words, word + 1)
    this.words[word] = (this.words[word] as number) | (1 << (row & 31))
  }

  clear(row: number): void {
    const word = row >>> 5
    if (word < this.words.length) this.words[word] = (this.words[word] as number) & ~(1 << (row & 31))
  }

  copy(rows: number): Bitmap {
    const bits = createBitmap(rows)
    bits.set(this.words.subarray(0, bits.length))
    return bits
  }

  addTo(bits: Bitmap): void {
    const shared = Math.min(bits.length, this.words.length)
    for (let word = 0; word < shared; word++) bits[word] = (bits[word] as number) | (this.words[word] as number)
  }

  removeFrom(bits: Bitmap): void {
    const shared = Math.min(bits.length, this.words.length)
    for (let word = 0; word < shared; word++) bits[word] = (bits[word] as number) & ~(this.words[word] as number)
  }

  /** Bits that it has not are taken from the others. */
  keepIn(bits: Bitmap): void {
    const shared = Math.min(bits.length, this.words.length)
    for (let word = 0; word < shared; word++) bits[word] = (bits[word] as number) & (this.words[word] as number)
    bits.fill(0, shared)
  }

  /** Bits that it has, too, go from the first to the second. */
  moveFrom(bits: Bitmap, to: Bitmap): void {
    const shared = Math.min(bits.length, this.words.length)
    for (let word = 0; word < shared; word++) {
      const both = (bits[word] as number) & (this.words[word] as number)
      to[word] = (to[word] as number) | both
      bits[word] = (bits[word] as number) ^ both
    }
  }

  setWord(word: number, bits: number): void {
    this.words = grow(this.words, word + 1)
    this.words[word] = bits
  }

  /** The word, 0 beyond the last. */
  at(word: number): number {
    return word < this.words.length ? (this.words[word] as number) : 0
  }
}
