/** Chance that comes out the same for the same seed, on every machine. */
export class Chance {
  private a: number
  private b: number
  private c: number
  private d = 1

  /** Each request has its own, by its kind and number: it can be made again without those before it. */
  constructor(seed: number, kind: string, number: number) {
    this.a = hash(`${kind}/${number}`, seed)
    this.b = hash(`${number}/${kind}`, seed + 1)
    this.c = seed | 0
    for (let round = 0; round < 12; round++) this.next()
  }

  /** From 0 to below 1 (sfc32). */
  next(): number {
    const sum = (((this.a + this.b) | 0) + this.d) | 0
    this.d = (this.d + 1) | 0
    this.a = this.b ^ (this.b >>> 9)
    this.b = (this.c + (this.c << 3)) | 0
    this.c = (((this.c << 21) | (this.c >>> 11)) + sum) | 0
    return (sum >>> 0) / 4_294_967_296
  }

  int(below: number): number {
    return Math.floor(this.next() * below)
  }

  is(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(list: readonly T[]): T {
    return list[this.int(list.length)] as T
  }

  list<T>(min: number, max: number, make: () => T): T[] {
    return Array.from({ length: min + this.int(max - min + 1) }, make)
  }

  bytes(length: number): Buffer {
    const bytes = Buffer.alloc(length)
    for (let index = 0; index < length; index++) bytes[index] = this.int(256)
    return bytes
  }

  /** Any characters, also halves of pairs. */
  text(max = 20): string {
    const codes = this.list(0, max, () => (this.is(0.7) ? 32 + this.int(95) : this.int(0x10000)))
    return String.fromCharCode(...codes)
  }
}

/** FNV-1a. */
function hash(text: string, seed: number): number {
  let value = (2_166_136_261 ^ seed) | 0
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16_777_619)
  return value
}
