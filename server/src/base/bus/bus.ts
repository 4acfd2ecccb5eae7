import { randomUUID } from 'node:crypto'
import { runAsService } from '../store/pool/connection-scope.ts'
import type { Store } from '../store/store.ts'
import type { Carrier, OnTold, Told } from './carrier.ts'
import { NotifyCarrier } from './notify-carrier.ts'
import { Peers } from './peers.ts'

type Listener = (body: unknown) => void

/**
 * What processes on one database tell each other. Nothing may depend on it: what is told while a connection is lost is
 * lost with it. All listen to NOTIFY; whoever has NATS tells by NATS, and by NOTIFY what does not get through there.
 */
export class Bus {
  /** Who this process is for the others. */
  readonly id = randomUUID()
  readonly peers = new Peers()
  private readonly notify: NotifyCarrier
  private nats: Carrier | undefined
  private readonly listeners = new Map<string, Set<Listener>>()
  private readonly heardByOne = new Set<string>()
  private waiting: Told[] = []
  private tellers: (() => void)[] = []
  private sending: Promise<void> | undefined

  constructor(store: Store) {
    this.notify = new NotifyCarrier(store, this.id, this.receive)
    store.onDrain(async () => {
      while (this.sending) await this.sending
    })
  }

  get isOpen(): boolean {
    return this.hearing !== undefined
  }

  /** Another number when something may not have been heard; undefined while not all of it is. */
  get hearing(): number | undefined {
    const { notify, nats } = this
    if (notify.hearing === undefined || !nats) return notify.hearing
    return nats.hearing === undefined ? undefined : notify.hearing + nats.hearing
  }

  /** Undefined: there is none. */
  get isNatsOpen(): boolean | undefined {
    return this.nats && this.nats.hearing !== undefined
  }

  /** From now on this process tells by NATS, as long as it can, and hears by it, too. */
  useNats(open: (id: string, onTold: OnTold) => Carrier): void {
    this.nats = open(this.id, this.receive)
    for (const topic of this.listeners.keys()) this.nats.follow(topic, { byOne: this.heardByOne.has(topic) })
  }

  /** What others tell, never what this process does. */
  on(topic: string, listener: Listener): () => void {
    this.notify.open(lockOf(this.id))
    return this.hear(topic, listener)
  }

  /**
   * For what matters only to a process that listens anyway: no connection is opened for it. With `byOne` it is enough that
   * one of the processes hears it.
   */
  hear(topic: string, listener: Listener, { byOne = false } = {}): () => void {
    const listeners = this.listeners.get(topic) ?? new Set()
    if (listeners.size === 0) {
      this.listeners.set(topic, listeners)
      if (byOne) this.heardByOne.add(topic)
      this.nats?.follow(topic, { byOne })
    }
    listeners.add(listener)
    return () => {
      listeners.delete(listener)
      if (listeners.size > 0 || this.listeners.get(topic) !== listeners) return
      this.listeners.delete(topic)
      this.heardByOne.delete(topic)
      this.nats?.unfollow(topic)
    }
  }

  /**
   * Goes with what else is told at the same moment. With `to` it concerns one process alone. Fulfilled when it has gone
   * out, or could not: never rejected.
   */
  tell(topic: string, body: unknown, to?: string): Promise<void> {
    this.waiting.push({ topic, json: JSON.stringify(body), to })
    const told = new Promise<void>((resolve) => this.tellers.push(resolve))
    this.sending ??= runAsService(() => this.send())
    return told
  }

  private async send(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.waiting.length > 0) {
      const told = this.waiting.splice(0)
      const tellers = this.tellers.splice(0)
      const left = this.nats ? await this.nats.send(told) : told
      if (left.length > 0) await this.notify.send(left)
      for (const goOn of tellers) goOn()
    }
    this.sending = undefined
  }

  private readonly receive: OnTold = (topic, body) => {
    for (const listener of this.listeners.get(topic) ?? []) listener(body)
  }
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
