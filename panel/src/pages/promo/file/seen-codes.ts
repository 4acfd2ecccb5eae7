/** At the beginning: 128 MB. */
const mostPlaces = 2 ** 24

/**
 * Which codes were seen: 64 bits of each, in tables that grow. A set of ten million texts would not fit a browser; that
 * two of them look the same here has a chance of one in some hundred thousand.
 */
export class SeenCodes {
  private size = 0
  private high: Uint32Array
  private low: Uint32Array

  /** To grow takes a moment when there are many: say how many may come. */
  constructor(expected: number) {
    const places = 2 ** Math.ceil(Math.log2(Math.min(Math.max(expected * 2, 1024), mostPlaces)))
    this.high = new Uint32Array(places)
    this.low = new Uint32Array(places)
  }

  /** Whether it is new. */
  add(high: number, low: number): boolean {
    if (this.size * 2 >= this.high.length) this.grow()
    const place = this.find(high, low)
    if (this.isTaken(place)) return false
    this.high[place] = high
    this.low[place] = low
    this.size++
    return true
  }

  has(high: number, low: number): boolean {
    return this.isTaken(this.find(high, low))
  }

  /** Where it is, or would be. */
  private find(high: number, low: number): number {
    const mask = this.high.length - 1
    let place = low & mask
    while (this.isTaken(place) && !(this.high[place] === high && this.low[place] === low)) place = (place + 1) & mask
    return place
  }

  /** `CodeHash` never gives two zeros. */
  private isTaken(place: number): boolean {
    return this.high[place] !== 0 || this.low[place] !== 0
  }

  private grow(): void {
    const { high, low } = this
    this.high = new Uint32Array(high.length * 2)
    this.low = new Uint32Array(low.length * 2)
    for (let index = 0; index < high.length; index++) {
      const [one, other] = [high[index] as number, low[index] as number]
      if (one === 0 && other === 0) continue
      const place = this.find(one, other)
      this.high[place] = one
      this.low[place] = other
    }
  }
}

/** 64 bits of a code, byte by byte. */
export class CodeHash {
  private first = 0x811c9dc5
  private second = 0x9747b28c

  add(byte: number): void {
    this.first = Math.imul(this.first ^ byte, 0x01000193)
    this.second = Math.imul((this.second ^ byte) + (this.second >>> 15), 0x85ebca6b)
  }

  /** The two halves; it begins anew then. */
  take(): [number, number] {
    const high = mix(this.first ^ (this.second >>> 7)) || 1
    const low = mix(this.second ^ (this.first << 3))
    this.first = 0x811c9dc5
    this.second = 0x9747b28c
    return [high, low]
  }
}

function mix(bits: number): number {
  let mixed = bits ^ (bits >>> 16)
  mixed = Math.imul(mixed, 0x7feb352d)
  mixed ^= mixed >>> 15
  mixed = Math.imul(mixed, 0x846ca68b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
