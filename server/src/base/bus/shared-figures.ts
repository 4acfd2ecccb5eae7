import { LRUCache } from 'lru-cache'
import type { Store } from '../store/store.ts'
import { busOf } from './bus.ts'

interface Options<Value> {
  /** Others are told at most so often, of all that has changed by then. */
  everyMs: number
  /** How long what another process told counts. */
  keptMs: number
  /** Told to whoever shares this, of what another process has told. */
  onHeard?: (key: string, value: Value) => void
}

interface Heard<Value> {
  value: Value
  atMs: number
}

type Told<Value> = [from: string, figures: [key: string, value: Value][]]

/** Keys that are told at a time, and remembered of each process. */
const mostTold = 500
const mostKept = 20_000

/**
 * What each process counts for itself, and the others have to know to keep a limit together. It is told by the bus: no
 * statement waits for it, what is lost is told again with the next change, and a process that is alone tells nothing.
 */
export class SharedFigures<Value extends {}> {
  private readonly store: Store
  private readonly topic: string
  private readonly options: Options<Value>
  private readonly changed = new Map<string, Value>()
  private readonly heard = new Map<string, LRUCache<string, Heard<Value>>>()
  private timer: NodeJS.Timeout | undefined
  private toldAtMs = Number.NEGATIVE_INFINITY

  constructor(store: Store, topic: string, options: Options<Value>) {
    this.store = store
    this.topic = topic
    this.options = options
    busOf(store).hear(topic, (body) => this.receive(body as Told<Value>))
    store.onDrain(async () => clearTimeout(this.timer))
  }

  /** The figure of this process. */
  set(key: string, value: Value): void {
    if (busOf(this.store).peers.count === 0) return
    this.changed.set(key, value)
    const waitMs = Math.max(0, this.toldAtMs + this.options.everyMs - performance.now())
    this.timer ??= setTimeout(() => this.tell(), waitMs).unref()
  }

  /** Those of the other processes, as they last told them. */
  ofOthers(key: string): Value[] {
    if (this.heard.size === 0) return []
    const sinceMs = performance.now() - this.options.keptMs
    const values: Value[] = []
    for (const figures of this.heard.values()) {
      const figure = figures.get(key)
      if (figure && figure.atMs >= sinceMs) values.push(figure.value)
    }
    return values
  }

  private tell(): void {
    this.timer = undefined
    this.toldAtMs = performance.now()
    const bus = busOf(this.store)
    const figures = [...this.changed].slice(-mostTold)
    this.changed.clear()
    void bus.tell(this.topic, [bus.id, figures] satisfies Told<Value>)
  }

  private receive([from, told]: Told<Value>): void {
    const atMs = performance.now()
    let figures = this.heard.get(from)
    if (!figures) {
      this.forgetSilent(atMs)
      figures = new LRUCache({ max: mostKept, ttl: this.options.keptMs })
      this.heard.set(from, figures)
    }
    for (const [key, value] of told) {
      figures.set(key, { value, atMs })
      this.options.onHeard?.(key, value)
    }
  }

  /** Processes come and go under new names. */
  private forgetSilent(atMs: number): void {
    for (const [from, figures] of this.heard) {
      const isSilent = [...figures.values()].every((figure) => figure.atMs < atMs - this.options.keptMs)
      if (isSilent) this.heard.delete(from)
    }
  }
}
