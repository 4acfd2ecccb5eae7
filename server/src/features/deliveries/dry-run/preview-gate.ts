import { setTimeout as sleep } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { RequestError } from '#base/errors.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import { TurnsQueue } from '../senders/turns-queue.ts'

interface Waiting {
  appId: number
  start(): void
}

const usual = { slots: 2, waitMs: 5_000, retryMs: 50 }
const gates = new WeakMap<Store, PreviewGate>()

/**
 * Takes one of the slots of the whole service, for the transaction: processes share PostgreSQL, and so they share its
 * slots. Returns whether one was free.
 */
export async function takeSlot(tx: Transaction): Promise<boolean> {
  const taken = await tx.query(sql`
    select slot from generate_series(1, ${usual.slots}) slot
    where pg_try_advisory_xact_lock(hashtextextended('large dry run ' || slot, 0)) limit 1`)
  return taken.length > 0
}

/**
 * Lets few dry runs over large audiences read at the same time, because each keeps PostgreSQL busy for a second or more.
 * Apps take turns. Nobody holds a connection while they wait.
 */
export class PreviewGate {
  private readonly options: typeof usual
  private readonly queue = new TurnsQueue<Waiting>(({ appId }) => String(appId))
  private running = 0

  constructor(options: typeof usual = usual) {
    this.options = options
  }

  static of(store: Store): PreviewGate {
    const gate = gates.get(store) ?? new PreviewGate()
    gates.set(store, gate)
    return gate
  }

  /** `read` returns undefined while other processes have all slots, and is called again. */
  async pass<T>(appId: number, read: () => Promise<T | undefined>): Promise<T> {
    const lastAt = performance.now() + this.options.waitMs
    if (this.running >= this.options.slots) await this.wait(appId)
    else this.running++
    try {
      for (;;) {
        const result = await read()
        if (result !== undefined) return result
        if (performance.now() >= lastAt) throw this.tooMany()
        await sleep(this.options.retryMs)
      }
    } finally {
      // The slot goes to the next one as it is.
      const next = this.queue.shift()
      if (next) next.start()
      else this.running--
    }
  }

  private wait(appId: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting: Waiting = { appId, start: resolve }
    const timer = setTimeout(() => {
      this.queue.takeWhere((each) => each === waiting)
      reject(this.tooMany())
    }, this.options.waitMs)
    this.queue.push(waiting)
    return promise.finally(() => clearTimeout(timer))
  }

  private tooMany(): RequestError {
    return new RequestError(
      'store-busy',
      'Too many dry runs over large audiences run at the moment. Try again shortly.',
      {
        retryAfterSeconds: Math.ceil(this.options.waitMs / 1_000),
      },
    )
  }
}
