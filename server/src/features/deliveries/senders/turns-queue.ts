import { WaitingQueue } from './waiting-queue.ts'

/** FIFO by key. Keys take turns, so that no item waits for all items of another key. */
export class TurnsQueue<T> {
  /** In the order of their turns. */
  private readonly queues = new Map<string, WaitingQueue<T>>()
  private readonly keyOf: (item: T) => string
  private count = 0

  constructor(keyOf: (item: T) => string) {
    this.keyOf = keyOf
  }

  get length(): number {
    return this.count
  }

  get keys(): string[] {
    return [...this.queues.keys()]
  }

  get first(): T | undefined {
    const [next] = this.queues.values()
    return next?.first
  }

  /** Returns the next items of all keys without removing them, equally many of each. */
  peek(count: number): T[] {
    const each = Math.ceil(count / Math.max(1, this.queues.size))
    return [...this.queues.values()].flatMap((queue) => queue.peek(each)).slice(0, count)
  }

  push(item: T): void {
    const key = this.keyOf(item)
    let queue = this.queues.get(key)
    if (!queue) {
      queue = new WaitingQueue()
      this.queues.set(key, queue)
    }
    queue.push(item)
    this.count++
  }

  shift(): T | undefined {
    const [next] = this.queues
    if (!next) return undefined
    const [key, queue] = next
    const item = queue.shift()
    this.count--
    if (queue.length === 0) this.queues.delete(key)
    else if (this.queues.size > 1) {
      this.queues.delete(key)
      this.queues.set(key, queue)
    }
    return item
  }

  takeWhere(isMeant: (item: T) => boolean): T[] {
    const taken: T[] = []
    for (const [key, queue] of this.queues) {
      taken.push(...queue.takeWhere(isMeant))
      if (queue.length === 0) this.queues.delete(key)
    }
    this.count -= taken.length
    return taken
  }

  takeAll(): T[] {
    return this.takeWhere(() => true)
  }
}
