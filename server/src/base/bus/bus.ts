import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import sql from 'sql-template-tag'
import type { Listener as StoreListener } from '../store/listener.ts'
import { runAsService } from '../store/pool/connection-scope.ts'
import type { Store } from '../store/store.ts'
import { Peers } from './peers.ts'

type Listener = (body: unknown) => void

const channel = 'peyk'
/** PostgreSQL takes less than 8000 bytes at a time. */
const partLength = 7_800
const maxUnfinished = 1_000

/**
 * What processes on one database tell each other. Nothing may depend on it: what is told while a connection is lost is
 * lost with it.
 */
export class Bus {
  /** Who this process is for the others. */
  readonly id = randomUUID()
  readonly peers = new Peers()
  private readonly store: Store
  private readonly listeners = new Map<string, Set<Listener>>()
  private readonly unfinished = new LRUCache<string, string[]>({ max: maxUnfinished })
  private parts: string[] = []
  private tellers: (() => void)[] = []
  private sending: Promise<void> | undefined
  private listening: StoreListener | undefined
  private count = 0

  constructor(store: Store) {
    this.store = store
    store.onDrain(async () => {
      while (this.sending) await this.sending
    })
  }

  get isOpen(): boolean {
    return this.listening?.isOpen() ?? false
  }

  /** Another number when something may not have been heard; undefined while nothing is. */
  get hearing(): number | undefined {
    return this.isOpen ? this.listening?.sessions() : undefined
  }

  /** What others tell, never what this process does. */
  on(topic: string, listener: Listener): () => void {
    this.listening ??= this.store.listen({ channel, lock: lockOf(this.id), onMessage: (text) => this.receive(text) })
    return this.hear(topic, listener)
  }

  /** For what matters only to a process that listens anyway: no connection is opened for it. */
  hear(topic: string, listener: Listener): () => void {
    const listeners = this.listeners.get(topic) ?? new Set()
    this.listeners.set(topic, listeners)
    listeners.add(listener)
    return () => void listeners.delete(listener)
  }

  /** Goes with what else is told at the same moment. Fulfilled when it has gone out, or could not: never rejected. */
  tell(topic: string, body: unknown): Promise<void> {
    const text = asAscii(JSON.stringify([topic, body]))
    const total = Math.ceil(text.length / partLength)
    this.count++
    // Numbered, because PostgreSQL leaves out what was said before in the same words.
    for (let part = 0; part < total; part++) {
      const words = text.slice(part * partLength, (part + 1) * partLength)
      this.parts.push(`${this.id} ${this.count} ${part} ${total} ${words}`)
    }
    const told = new Promise<void>((resolve) => this.tellers.push(resolve))
    this.sending ??= runAsService(() => this.send())
    return told
  }

  private async send(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.parts.length > 0) {
      const parts = this.parts.splice(0)
      const tellers = this.tellers.splice(0)
      await this.store
        .query(sql`select pg_notify(${channel}, part) from unnest(${parts}::text[]) as p(part)`, 'tell-others')
        .catch(() => undefined)
      for (const goOn of tellers) goOn()
    }
    this.sending = undefined
  }

  private receive(text: string): void {
    const [, sender, count, total, part] = /^(\S+) (\d+) \d+ (\d+) (.*)$/s.exec(text) ?? []
    if (sender === undefined || sender === this.id) return
    const key = `${sender} ${count}`
    const parts = [...(this.unfinished.get(key) ?? []), part as string]
    if (parts.length < Number(total)) {
      this.unfinished.set(key, parts)
      return
    }
    this.unfinished.delete(key)
    const told = readJson(parts.join(''))
    if (!Array.isArray(told)) return
    for (const listener of this.listeners.get(told[0]) ?? []) listener(told[1])
  }
}

/** Anybody may NOTIFY. */
function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** So that a part can be cut anywhere, and as many characters are as many bytes. */
function asAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** The lock that a process holds as long as it lives; see connection_holders. */
export function lockOf(id: string): bigint {
  return BigInt.asIntN(64, BigInt(`0x${id.replaceAll('-', '').slice(0, 16)}`))
}

const buses = new WeakMap<Store, Bus>()

export function busOf(store: Store): Bus {
  const bus = buses.get(store) ?? new Bus(store)
  buses.set(store, bus)
  return bus
}
