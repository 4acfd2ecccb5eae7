import { RequestError } from '../errors.ts'

interface Limit {
  /** Maximum running at once for one owner. */
  ofEach: number
  /** Maximum running at once in this process, for all owners together. */
  ofAll: number
  /**
   * Maximum waiting for one owner, and for all owners together; further calls are refused with `tooMany`. When all
   * owners have reached theirs, the owner with the most waiting makes room for others. Default: no limit.
   */
  waiting?: { max: number; tooMany: string; maxOfAll?: number }
}

interface Owner {
  running: number
  waiting: { begin(): void; refuse(error: Error): void }[]
}

/** Limits concurrency by owner, such as an app. No owner can take all slots, and waiting owners take turns. */
export function limitConcurrencyPerKey<Key>(limit: Limit) {
  const owners = new Map<Key, Owner>()
  let running = 0
  let waiting = 0

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
      // Move the owner to the end, so that its next turn comes after those of all others.
      owners.delete(key)
      owners.set(key, owner)
      owner.running++
      running++
      waiting--
      next.begin()
    }
  }
  const makeRoom = (newcomer: Owner, refusal: () => Error): boolean => {
    const longest = [...owners.values()].reduce((one, other) =>
      other.waiting.length > one.waiting.length ? other : one,
    )
    if (longest.waiting.length <= newcomer.waiting.length + 1) return false
    longest.waiting.pop()?.refuse(refusal())
    waiting--
    return true
  }

  return async <T>(key: Key, work: () => Promise<T>): Promise<T> => {
    const owner = findOwner(key)
    const { max = Number.POSITIVE_INFINITY, maxOfAll = Number.POSITIVE_INFINITY, tooMany = '' } = limit.waiting ?? {}
    const refusal = () => new RequestError('too-many-requests', tooMany, { retryAfterSeconds: 5 })
    if (owner.waiting.length >= max || (waiting >= maxOfAll && !makeRoom(owner, refusal))) {
      if (owner.running === 0 && owner.waiting.length === 0) owners.delete(key)
      throw refusal()
    }
    waiting++
    const turn = new Promise<void>((begin, refuse) => owner.waiting.push({ begin, refuse }))
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
