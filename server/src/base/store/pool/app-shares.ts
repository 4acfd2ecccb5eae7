import { RequestError } from '../../errors.ts'
import { connectionScope } from './connection-scope.ts'

interface Limits {
  /** Connections that one app may hold at a time. */
  connections: number
  /** Statements and transactions of one app that may wait for one of its connections. */
  waiting: number
  patienceMs: number
}

interface Share {
  used: number
  waiting: Set<() => void>
}

/**
 * No app may take the whole pool: whatever is slow about one app, a lock or a long question, the others find
 * connections. What an app wants beyond its share waits for its own, and is told to come again when that takes long.
 */
export class AppShares {
  private readonly limits: Limits
  private readonly shares = new Map<number, Share>()

  constructor(limits: Limits) {
    this.limits = limits
  }

  async use<T>(work: () => Promise<T>): Promise<T> {
    const { appId, isInTransaction } = connectionScope()
    // Whoever holds a connection must not wait for those who wait for it.
    if (appId === undefined || isInTransaction) return work()
    let share = this.shares.get(appId)
    if (!share) {
      share = { used: 0, waiting: new Set() }
      this.shares.set(appId, share)
    }
    if (share.used < this.limits.connections) share.used++
    else await this.waitFor(share)
    try {
      return await work()
    } finally {
      this.leave(appId, share)
    }
  }

  /** Whoever leaves hands the place over, so that it stays counted. */
  private waitFor(share: Share): Promise<void> {
    if (share.waiting.size >= this.limits.waiting) return Promise.reject(busy())
    return new Promise((resolve, reject) => {
      const enter = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        share.waiting.delete(enter)
        reject(busy())
      }, this.limits.patienceMs)
      share.waiting.add(enter)
    })
  }

  private leave(appId: number, share: Share): void {
    const [next] = share.waiting
    if (next) {
      share.waiting.delete(next)
      next()
      return
    }
    share.used--
    if (share.used === 0) this.shares.delete(appId)
  }
}

function busy(): RequestError {
  return new RequestError('store-busy', 'Too many requests of this app wait for the database. Try again shortly.')
}
