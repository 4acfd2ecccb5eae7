import { noteAnswer } from '../trace/note-answer.ts'
import { isTracing } from '../trace/tracing.ts'
import { Call, CallList } from './call.ts'
import type { Connection, ConnectionOwner, Patience } from './connection.ts'
import { type Host, openConnection } from './open-connection.ts'
import type { Pool, PoolAnswer, PoolOptions, PoolRequest } from './pool.ts'

const firstBackOffMs = 250
const longestBackOffMs = 30_000
/** What a connection is expected to carry before the host has said it. */
const defaultRoom = 100

const withdrawn: PoolAnswer = { kind: 'not-sent', detail: 'it was not wanted any more', wasWithdrawn: true }

export function openPool(options: PoolOptions): Pool {
  return new HostPool(options)
}

/**
 * The connections to one host, and the requests that wait for room on one.
 *
 *   request ──room on a connection?──yes──▶ sent there
 *              └──no──▶ waiting ──room is freed, or a new connection opens──▶ sent there
 *                          └──waited too long, not wanted any more, or no connection can be had──▶ not-sent
 *
 * Connections are filled in order, so that those at the end fall idle and close. After a failed connection the host is
 * left alone for a while, longer each time, until it answers a request. One timer ticks for all deadlines.
 */
class HostPool implements Pool, ConnectionOwner {
  tick = 0
  readonly patience: Patience
  private readonly host: Host
  private readonly maxConnections: number
  private readonly tickMs: number
  private readonly waitTicks: number
  private readonly waiting = new CallList()
  /** Those that take requests, and all whose sockets are open. */
  private readonly usable: Connection[] = []
  private readonly open = new Set<Connection>()
  private readonly opening = new Set<{ cancel(): void }>()
  private expectedRoom = defaultRoom
  private failures = 0
  private retryAt = 0
  private fault = ''
  private timer: NodeJS.Timeout | undefined
  private isClosing = false
  private readonly closed = Promise.withResolvers<void>()

  constructor(options: PoolOptions) {
    const connectMs = options.connectMs ?? 10_000
    const requestMs = options.requestMs ?? 30_000
    const pingMs = options.pingEveryMs ?? 15_000
    const idleMs = options.idleMs ?? 300_000
    this.host = {
      origin: new URL(options.origin),
      ...(options.address === undefined ? {} : { address: options.address }),
      ...(options.ca === undefined ? {} : { ca: options.ca }),
      isCautious: options.isCautious ?? false,
      connectMs,
    }
    this.maxConnections = Math.max(1, options.maxConnections)
    this.tickMs = Math.min(250, Math.max(5, Math.min(connectMs, requestMs, pingMs, idleMs) / 8))
    const ticks = (ms: number) => Math.ceil(ms / this.tickMs)
    this.patience = {
      request: ticks(requestMs),
      ping: ticks(pingMs),
      pong: ticks(Math.min(pingMs, 10_000)),
      idle: ticks(idleMs),
      linger: ticks(2_000),
    }
    this.waitTicks = ticks(options.waitMs ?? 15_000)
  }

  get connections(): number {
    return this.open.size + this.opening.size
  }

  request(request: PoolRequest): Promise<PoolAnswer> {
    const answered = new Promise<PoolAnswer>((resolve) => this.start(new Call(request, resolve)))
    return isTracing() ? noteAnswer(this.host.origin, request.method, answered) : answered
  }

  close(): Promise<void> {
    this.isClosing = true
    this.endIfDone()
    return this.closed.promise
  }

  freed(): void {
    if (this.waiting.length > 0) this.dispatch()
    else if (this.isClosing) this.endIfDone()
  }

  proven(): void {
    this.failures = 0
  }

  left(connection: Connection, fault?: string): void {
    const index = this.usable.indexOf(connection)
    if (index >= 0) this.usable.splice(index, 1)
    if (fault !== undefined && !connection.hasAnswered) this.fail(fault)
    else this.dispatch()
  }

  ended(connection: Connection): void {
    this.open.delete(connection)
    this.endIfDone()
  }

  private start(call: Call): void {
    if (this.isClosing) {
      call.settle({ kind: 'not-sent', detail: 'the pool is closed' })
      return
    }
    if (isUnwanted(call, false)) {
      call.settle(withdrawn)
      return
    }
    if (this.waiting.length === 0) {
      const connection = this.findRoom()
      if (connection && isUnwanted(call, true)) {
        call.settle(withdrawn)
        return
      }
      if (connection?.send(call)) return
    }
    call.sinceTick = this.tick
    this.waiting.push(call)
    this.dispatch()
  }

  private dispatch(): void {
    while (this.waiting.length > 0) {
      const connection = this.findRoom()
      if (!connection) {
        this.grow()
        return
      }
      const call = this.waiting.shift() as Call
      if (isUnwanted(call, true)) call.settle(withdrawn)
      else if (!connection.send(call)) this.waiting.unshift(call)
    }
    this.endIfDone()
  }

  private findRoom(): Connection | undefined {
    for (const connection of this.usable) if (connection.room > 0) return connection
    return undefined
  }

  /** Opens as many connections as those who wait need; those that are being opened or on probation count as theirs. */
  private grow(): void {
    let expected = this.opening.size * this.expectedRoom
    for (const connection of this.usable) expected += connection.expectedRoom
    const isBackingOff = this.failures > 0 && performance.now() < this.retryAt
    while (
      !isBackingOff &&
      expected < this.waiting.length &&
      this.usable.length + this.opening.size < this.maxConnections &&
      (this.failures === 0 || this.opening.size === 0)
    ) {
      this.connect()
      expected += this.expectedRoom
    }
    if (this.usable.length + this.opening.size === 0) this.refuseWaiting()
  }

  private connect(): void {
    this.startTimer()
    const opening = openConnection(this.host, this, (connection, fault) => {
      this.opening.delete(opening)
      if (connection) this.add(connection)
      else this.fail(fault)
    })
    this.opening.add(opening)
  }

  private add(connection: Connection): void {
    this.open.add(connection)
    this.usable.push(connection)
    this.expectedRoom = Math.max(1, connection.expectedRoom)
    this.dispatch()
  }

  /** Several connections that fail at once are one failure. */
  private fail(fault: string): void {
    this.fault = fault
    const now = performance.now()
    if (this.failures === 0 || now >= this.retryAt) {
      const backOffMs = Math.min(longestBackOffMs, firstBackOffMs * 2 ** Math.min(this.failures, 10))
      this.failures++
      this.retryAt = now + backOffMs * (0.75 + Math.random() / 4)
    }
    if (this.usable.length + this.opening.size === 0) this.refuseWaiting()
    this.endIfDone()
  }

  private refuseWaiting(): void {
    for (let call = this.waiting.shift(); call; call = this.waiting.shift()) {
      call.settle({ kind: 'not-sent', detail: this.fault })
    }
  }

  private withdrawUnwanted(): void {
    let call = this.waiting.first
    while (call) {
      const { next } = call
      if (isUnwanted(call, false)) {
        this.waiting.remove(call)
        call.settle(withdrawn)
      }
      call = next
    }
  }

  private sweep(): void {
    this.tick++
    this.withdrawUnwanted()
    for (
      let call = this.waiting.first;
      call && this.tick - call.sinceTick > this.waitTicks;
      call = this.waiting.first
    ) {
      this.waiting.remove(call)
      call.settle({ kind: 'not-sent', detail: 'no connection had room in time' })
    }
    for (const connection of this.open) connection.sweep()
    this.dispatch()
    if (this.open.size + this.opening.size + this.waiting.length === 0) this.stopTimer()
  }

  private startTimer(): void {
    this.timer ??= setInterval(() => this.sweep(), this.tickMs).unref()
  }

  private stopTimer(): void {
    clearInterval(this.timer)
    this.timer = undefined
  }

  private endIfDone(): void {
    if (!this.isClosing || this.waiting.length > 0) return
    for (const opening of [...this.opening]) opening.cancel()
    for (const connection of [...this.usable]) connection.drain()
    if (this.open.size > 0) return
    this.stopTimer()
    this.closed.resolve()
  }
}

function isUnwanted({ request }: Call, isNext: boolean): boolean {
  return request.isWanted?.(isNext) === false
}
