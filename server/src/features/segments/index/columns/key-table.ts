import { grow } from './grow.ts'

/** Numbers from 0 to 2⁵³, each with a place that stays its own. Open addressing, with the places in the slots. */
export class KeyTable {
  /** By place: the key, and one more; 0 where a place is free. */
  keys: Uint32Array<ArrayBuffer> | Float64Array<ArrayBuffer>
  /** One more than the highest place. */
  length = 0
  /** How many keys there are. */
  size = 0
  /** Places whose keys were removed. */
  private readonly free: number[] = []
  /** The place, and one more; 0 is empty. */
  private slots = new Uint32Array(4)

  /** `narrow`: keys are below 2³² − 1, as rows are. */
  constructor(width: 'narrow' | 'wide') {
    this.keys = width === 'narrow' ? new Uint32Array(0) : new Float64Array(0)
  }

  isFree(place: number): boolean {
    return place >= this.length || this.keys[place] === 0
  }

  /** Its place, or -1. */
  find(key: number): number {
    const mask = this.slots.length - 1
    for (let slot = hash(key) & mask; ; slot = (slot + 1) & mask) {
      const place = (this.slots[slot] as number) - 1
      if (place === -1 || this.keys[place] === key + 1) return place
    }
  }

  /** Its place, a new one if it had none. */
  add(key: number): number {
    const known = this.find(key)
    if (known !== -1) return known
    return this.put(key, this.free.pop() ?? this.length)
  }

  /** Gives a new key a free place, in a table whose places are chosen by others. */
  put(key: number, place: number): number {
    this.length = Math.max(this.length, place + 1)
    this.keys = grow(this.keys, this.length)
    this.keys[place] = key + 1
    if (++this.size * 4 > this.slots.length * 3) this.rehash()
    else this.putIntoSlot(place)
    return place
  }

  /** The place that became free, or -1. */
  remove(key: number): number {
    const mask = this.slots.length - 1
    let slot = hash(key) & mask
    for (; ; slot = (slot + 1) & mask) {
      const place = (this.slots[slot] as number) - 1
      if (place === -1) return -1
      if (this.keys[place] === key + 1) break
    }
    const removed = (this.slots[slot] as number) - 1
    this.closeGap(slot, mask)
    this.keys[removed] = 0
    this.size--
    this.free.push(removed)
    return removed
  }

  /** Those behind move up, unless they stand where they belong. */
  private closeGap(gap: number, mask: number): void {
    let empty = gap
    for (let slot = (gap + 1) & mask; this.slots[slot] !== 0; slot = (slot + 1) & mask) {
      const home = hash((this.keys[(this.slots[slot] as number) - 1] as number) - 1) & mask
      if (((slot - home) & mask) < ((slot - empty) & mask)) continue
      this.slots[empty] = this.slots[slot] as number
      empty = slot
    }
    this.slots[empty] = 0
  }

  private rehash(): void {
    this.slots = new Uint32Array(this.slots.length * 2)
    for (let place = 0; place < this.length; place++) if (!this.isFree(place)) this.putIntoSlot(place)
  }

  private putIntoSlot(place: number): void {
    const mask = this.slots.length - 1
    let slot = hash((this.keys[place] as number) - 1) & mask
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask
    this.slots[slot] = place + 1
  }
}

function hash(key: number): number {
  const mixed = Math.imul((key | 0) ^ Math.floor(key / 4_294_967_296), 0x9e3779b1)
  return (mixed ^ (mixed >>> 15)) >>> 0
}
