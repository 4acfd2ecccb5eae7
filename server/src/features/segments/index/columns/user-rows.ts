import { type Bitmap, countBits, createBitmap, estimateDifferent, GrowingBitmap } from './bitmap.ts'
import { grow } from './grow.ts'

/** So many answers are remembered of each kind. */
const mostRemembered = 8
/** More changes than this share of all rows are not followed: then looking at all rows takes no longer. */
const fewShare = 1 / 128
/** A longer name of a question is not kept. */
const longestKey = 10_000

/** `theirs` has the bits of their users at all installations apart. */
interface Spread {
  bits: Bitmap
  theirs: Bitmap
  /** How many moves it has followed. */
  moves: number
}

/** `users` has those who have a found installation. */
interface Counted {
  found: Bitmap
  users: Bitmap
  count: number
  moves: number
}

/**
 * Which user each installation is of. Most have the row of their user; to look up the users of the others takes longer
 * than all else. So what was asked is remembered, and when it is asked again, only what differs is looked up.
 */
export class UserRows {
  /** By installation. */
  private userOf = new Uint32Array(0)
  /** Installations whose user has another row than they. */
  private readonly apart = new GrowingBitmap()
  /** By user: the first of its installations apart, and one more; 0 is none. */
  private firstOf = new Uint32Array(0)
  /** By installation apart: the next one of its user, likewise. */
  private nextOf = new Uint32Array(0)
  private readonly spreads = new Map<string, Spread>()
  private readonly counts = new Map<string, Counted>()
  /** Installations that went to another user while something was remembered, each with the user before. */
  private moves: { row: number; before: number }[] = []

  makeRoom(rows: number): void {
    this.userOf = grow(this.userOf, rows)
    this.firstOf = grow(this.firstOf, rows)
    this.nextOf = grow(this.nextOf, rows)
  }

  put(row: number, user: number): void {
    const before = this.userOf[row] as number
    const wasApart = this.isApart(row)
    if (before === user && wasApart === (user !== row)) return
    this.noteMove(row, before)
    if (wasApart) this.unlink(row, before)
    this.userOf[row] = user
    if (user === row) {
      this.apart.clear(row)
      return
    }
    this.apart.set(row)
    this.nextOf[row] = this.firstOf[user] as number
    this.firstOf[user] = row + 1
  }

  /** From bits of users to those of their installations. The same key is of bits that mostly differ little. */
  spread(bits: Bitmap, rows: number, key: string): Bitmap {
    const known = this.spreads.get(key)
    const isKnown = known !== undefined && this.followBits(known, bits)
    const spread = isKnown ? known : { bits: bits.slice(), theirs: this.lookUp(bits), moves: this.moves.length }
    remember(this.spreads, key, spread)
    const { theirs } = spread
    const found = createBitmap(rows)
    for (let word = 0; word < found.length; word++) {
      const apart = this.apart.at(word)
      found[word] = ((bits[word] as number) & ~apart) | ((theirs[word] as number) & apart)
    }
    return found
  }

  /** How many users the installations have. */
  countUsers(found: Bitmap, key: string): number {
    const known = this.counts.get(key)
    const isKnown = known !== undefined && this.followFound(known, found)
    const counted = isKnown ? known : this.count(found)
    remember(this.counts, key, counted)
    return counted.count
  }

  private isApart(row: number): boolean {
    return hasBit(this.apart.at(row >>> 5), row)
  }

  private unlink(row: number, user: number): void {
    const next = this.nextOf[row] as number
    let at = this.firstOf[user] as number
    if (at === row + 1) {
      this.firstOf[user] = next
      return
    }
    while (this.nextOf[at - 1] !== row + 1) at = this.nextOf[at - 1] as number
    this.nextOf[at - 1] = next
  }

  private noteMove(row: number, before: number): void {
    if (this.spreads.size === 0 && this.counts.size === 0) return
    this.moves.push({ row, before })
    if (this.moves.length <= this.userOf.length * fewShare) return
    this.spreads.clear()
    this.counts.clear()
    this.moves = []
  }

  private lookUp(bits: Bitmap): Bitmap {
    const theirs = new Uint32Array(bits.length)
    for (let word = 0; word < theirs.length; word++) {
      let found = 0
      for (let left = this.apart.at(word); left !== 0; left &= left - 1) {
        const bit = left & -left
        const user = this.userOf[word * 32 + 31 - Math.clz32(bit)] as number
        found |= bit & -(((bits[user >>> 5] as number) >>> (user & 31)) & 1)
      }
      theirs[word] = found
    }
    return theirs
  }

  /** False when too much differs. */
  private followBits(known: Spread, bits: Bitmap): boolean {
    known.bits = grow(known.bits, bits.length)
    known.theirs = grow(known.theirs, bits.length)
    let left = bits.length * 32 * fewShare
    if (estimateDifferent(known.bits, bits) > left) return false
    for (let word = 0; word < bits.length; word++) {
      const now = bits[word] as number
      let changed = now ^ (known.bits[word] as number)
      if (changed === 0) continue
      known.bits[word] = now
      for (; changed !== 0; changed &= changed - 1) {
        const user = word * 32 + 31 - Math.clz32(changed & -changed)
        if (--left < 0) return false
        for (let next = this.firstOf[user] as number; next !== 0; next = this.nextOf[next - 1] as number) {
          if (--left < 0) return false
          setBit(known.theirs, next - 1, hasBit(now, user))
        }
      }
    }
    for (; known.moves < this.moves.length; known.moves++) {
      const { row } = this.moves[known.moves] as { row: number }
      const user = this.userOf[row] as number
      setBit(known.theirs, row, hasBit(bits[user >>> 5] as number, user))
    }
    return true
  }

  private count(found: Bitmap): Counted {
    const users = new Uint32Array(found.length)
    for (let word = 0; word < found.length; word++) {
      const apart = this.apart.at(word)
      users[word] = (users[word] as number) | ((found[word] as number) & ~apart)
      for (let left = (found[word] as number) & apart; left !== 0; left &= left - 1) {
        const user = this.userOf[word * 32 + 31 - Math.clz32(left & -left)] as number
        users[user >>> 5] = (users[user >>> 5] as number) | (1 << (user & 31))
      }
    }
    return { found: found.slice(), users, count: countBits(users), moves: this.moves.length }
  }

  private followFound(known: Counted, found: Bitmap): boolean {
    known.found = grow(known.found, found.length)
    known.users = grow(known.users, found.length)
    let left = found.length * 32 * fewShare
    if (estimateDifferent(known.found, found) > left) return false
    const check = (user: number) => {
      let has = hasBit(found[user >>> 5] as number, user) && !this.isApart(user)
      let next = this.firstOf[user] as number
      for (; !has && next !== 0; next = this.nextOf[next - 1] as number) {
        has = hasBit(found[(next - 1) >>> 5] as number, next - 1)
        left--
      }
      if (has === hasBit(known.users[user >>> 5] as number, user)) return
      setBit(known.users, user, has)
      known.count += has ? 1 : -1
    }
    for (let word = 0; word < found.length; word++) {
      const now = found[word] as number
      let changed = now ^ (known.found[word] as number)
      if (changed === 0) continue
      known.found[word] = now
      for (; changed !== 0; changed &= changed - 1) {
        if (--left < 0) return false
        check(this.userOf[word * 32 + 31 - Math.clz32(changed & -changed)] as number)
      }
    }
    for (; known.moves < this.moves.length; known.moves++) {
      const { row, before } = this.moves[known.moves] as { row: number; before: number }
      if (--left < 0) return false
      check(before)
      check(this.userOf[row] as number)
    }
    return true
  }
}

/** What was asked last is forgotten last. */
function remember<Answer>(answers: Map<string, Answer>, key: string, answer: Answer): void {
  answers.delete(key)
  if (key.length > longestKey) return
  answers.set(key, answer)
  if (answers.size <= mostRemembered) return
  for (const oldest of answers.keys()) {
    answers.delete(oldest)
    return
  }
}

function hasBit(word: number, row: number): boolean {
  return ((word >>> (row & 31)) & 1) === 1
}

function setBit(bits: Bitmap, row: number, is: boolean): void {
  const word = bits[row >>> 5] as number
  bits[row >>> 5] = is ? word | (1 << (row & 31)) : word & ~(1 << (row & 31))
}
