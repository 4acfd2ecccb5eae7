import { RequestError } from './errors.ts'

interface Limit {
  /** How many of one owner run at once. */
  ofEach: number
  /** How many run at once in this process, whoever's they are. */
  ofAll: number
  /** So many of one owner wait for their turn, and who comes after them is sent away with these words; all wait unless given. */
  waiting?: { max: number; tooMany: string }
}

interface Owner {
  running: number
  waiting: (() => void)[]
}

/** Turns for work of several owners, such as apps: none of them can take all turns, and those who wait go by owner in rotation. */
export function limitConcurrencyPerKey<Key>(limit: Limit) {
  const owners = new Map<Key, Owner>()
  let running = 0

  const findOwner = (key: Key): Owner => {
    const known = owners.get(key) ?? { running: 0, waiting: [] }
    owners.set(key, known)
    return known
  }
  const letNextIn = () => {
    for (const [key, owner] of owners) {
      if (running >= limit.ofAll) return
      const next = owner.running < limit.ofEach ? owner.waiting.shift() : undefined
      if (!next) continue
      // Behind all others: whoever had a turn has the next one last.
      owners.delete(key)
      owners.set(key, owner)
      owner.running++
      running++
      next()
    }
  }

  return async <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const owner = findOwner(key)
    if (limit.waiting && owner.waiting.length >= limit.waiting.max) {
      throw new RequestError('too-many-requests', limit.waiting.tooMany, { retryAfterSeconds: 5 })
    }
    const turn = new Promise<void>((resolve) => owner.waiting.push(resolve))
    letNextIn()
    await turn
    try {
      return await work()
    } finally {
      owner.running--
      running--
      if (owner.running === 0 && owner.waiting.length === 0) owners.delete(key)
      letNextIn()
    }
  }
}
