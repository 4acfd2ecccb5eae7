/** First in, first out, without moving what waits. */
export class WaitingQueue<T> {
  private items: (T | undefined)[] = []
  private head = 0

  get length(): number {
    return this.items.length - this.head
  }

  get first(): T | undefined {
    return this.items[this.head]
  }

  /** Returns the next items without removing them. */
  peek(count: number): T[] {
    return this.items.slice(this.head, this.head + count) as T[]
  }

  push(item: T): void {
    this.items.push(item)
  }

  shift(): T | undefined {
    const item = this.items[this.head]
    if (item === undefined) return undefined
    this.items[this.head++] = undefined
    if (this.head === this.items.length) {
      this.items = []
      this.head = 0
    } else if (this.head > 1_000 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head)
      this.head = 0
    }
    return item
  }

  takeWhere(isMeant: (item: T) => boolean): T[] {
    const rest = this.takeAll()
    const taken: T[] = []
    for (const item of rest) (isMeant(item) ? taken : this.items).push(item)
    return taken
  }

  takeAll(): T[] {
    const rest = this.items.slice(this.head) as T[]
    this.items = []
    this.head = 0
    return rest
  }
}
