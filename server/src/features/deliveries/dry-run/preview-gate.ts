import { RequestError } from '../../../base/errors.ts'
import type { Store } from '../../../base/store/store.ts'
import { TurnsQueue } from '../senders/turns-queue.ts'

interface Waiting {
  appId: number
  start(): void
}

const usual = { slots: 2, waitMs: 5_000 }
const gates = new WeakMap<Store, PreviewGate>()

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

  async pass<T>(appId: number, read: () => Promise<T>): Promise<T> {
    if (this.running >= this.options.slots) await this.wait(appId)
    else this.running++
    try {
      return await read()
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
      reject(
        new RequestError('store-busy', 'Too many dry runs over large audiences run at the moment. Try again shortly.', {
          retryAfterSeconds: Math.ceil(this.options.waitMs / 1_000),
        }),
      )
    }, this.options.waitMs)
    this.queue.push(waiting)
    return promise.finally(() => clearTimeout(timer))
  }
}
