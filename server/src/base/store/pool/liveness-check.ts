import type pg from 'pg'
import { type Address, newClient } from '../hosts/address.ts'
import { cutClient, endClient } from './end-client.ts'
import { rejectWhenSilent, SilentPostgresError } from './reject-when-silent.ts'

export interface LivenessLimits {
  /** So long an answer may take before it is asked whether PostgreSQL lives. */
  patienceMs: number
  /** So long PostgreSQL may take to say so. */
  answerMs: number
}

export const defaultLivenessLimits: LivenessLimits = { patienceMs: 1_000, answerMs: 2_500 }

interface Waiting {
  client: pg.ClientBase | undefined
  /** A statement was sent to this client's backend, so that the backend must be busy. */
  isStatement: boolean
  ticks: number
  /** How often in a row the backend was found idle, and what had been read of it by then. */
  idleLooks: number
  bytesRead: number
  fail(error: Error): void
}

interface Connections {
  address: Address
  /** Ends the connection at once: whatever waits for it fails. */
  cut(client: pg.ClientBase): void
  cutAll(): void
  onSilent(): void
}

const newcomer = { ticks: 0, idleLooks: 0, bytesRead: -1 }
const ticksPerPatience = 4
const idleLooksOfLost = 2
const recoverMs = 250
/** After so many ticks without use the connection for questions is closed: it may be lost by then. */
const ticksToKeep = 10 * ticksPerPatience

/**
 * Tells a PostgreSQL that is slow from one that is silent (stopped, its host lost, failed over). Statements may take as
 * long as PostgreSQL lets them; while one takes longer than a moment, PostgreSQL is asked over a connection apart.
 *
 *   nobody waits ──▶ someone waits for long ──▶ ask: is it there, and is it at work on what was sent?
 *                          ▲──────── yes ────────┤
 *                                                ├── it lives, but not that backend ──▶ this connection is cut
 *                                                └── no answer ──▶ silent: all are cut, and all who come are refused
 *   silent ──▶ ask again and again ──any answer──▶ nobody waits
 */
export class LivenessCheck {
  private readonly connections: Connections
  private readonly limits: LivenessLimits
  private readonly waiting = new Set<Waiting>()
  private readonly ticker: NodeJS.Timeout
  private asking: Promise<void> | undefined
  private asker: pg.Client | undefined
  private ticksUnused = 0
  private isSilent = false
  private isClosed = false

  constructor(connections: Connections, limits: LivenessLimits = defaultLivenessLimits) {
    this.connections = connections
    this.limits = limits
    this.ticker = setInterval(() => this.tick(), limits.patienceMs / ticksPerPatience).unref()
  }

  /** Answers what the work answers, or fails because PostgreSQL is silent. */
  watch<T>(start: () => Promise<T>, client?: pg.ClientBase): Promise<T> {
    if (this.isSilent) return Promise.reject(new SilentPostgresError())
    return new Promise((resolve, reject) => {
      const entry: Waiting = { ...newcomer, client, isStatement: client !== undefined, fail: reject }
      this.waiting.add(entry)
      const done = () => void this.waiting.delete(entry)
      start().finally(done).then(resolve, reject)
    })
  }

  /** For as long as somebody uses a connection in a way that is not seen here. Answers how to end it. */
  attend(): () => void {
    const entry: Waiting = { ...newcomer, client: undefined, isStatement: false, fail: () => undefined }
    this.waiting.add(entry)
    return () => void this.waiting.delete(entry)
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.ticker)
    await this.asking
    if (this.asker) await endClient(this.asker)
  }

  private tick(): void {
    let isLong = false
    for (const entry of this.waiting) if (++entry.ticks >= ticksPerPatience) isLong = true
    if (isLong && !this.isClosed)
      this.asking ??= this.ask().finally(() => {
        this.asking = undefined
        this.ticksUnused = 0
      })
    if (this.asker && !this.asking && ++this.ticksUnused > ticksToKeep) this.dropAsker()
  }

  private async ask(): Promise<void> {
    const asked = [...this.waiting].filter(({ ticks }) => ticks >= ticksPerPatience)
    try {
      const busy = await rejectWhenSilent(this.listBusy(asked), this.limits.answerMs)
      if (busy) this.cutLost(asked, busy)
    } catch (error) {
      this.dropAsker()
      // Any other answer, a refused connection too, is one: whoever waits will be told the same.
      if (error instanceof SilentPostgresError) await this.beSilent(error)
    }
    // Asked again only after another such while.
    for (const entry of asked) entry.ticks = 0
  }

  /** The process numbers of those backends that are at work. Undefined when they cannot be known. */
  private async listBusy(asked: readonly Waiting[]): Promise<Set<number> | undefined> {
    const asker = await this.openAsker()
    const pids = asked.flatMap(({ client }) => pidOf(client) ?? [])
    const { rows } = await asker.query<{ own: number; busy: number[] }>(
      `select pg_backend_pid() as own, array(
         select pid from pg_stat_activity where pid = any($1::int[]) and (state is null or state not like 'idle%')) as busy`,
      [pids],
    )
    const [row] = rows
    // Behind a pooler the numbers that clients are told are not those of backends.
    return row && row.own === pidOf(asker) ? new Set(row.busy) : undefined
  }

  /** Twice in a row, and nothing came in between: a long answer may still be on its way. */
  private cutLost(asked: readonly Waiting[], busy: ReadonlySet<number>): void {
    for (const entry of asked) {
      const pid = pidOf(entry.client)
      if (!entry.isStatement || pid === undefined || !this.waiting.has(entry)) continue
      const bytesRead = bytesReadOf(entry.client)
      const isSame = bytesRead === entry.bytesRead || entry.idleLooks === 0
      entry.idleLooks = busy.has(pid) || !isSame ? 0 : entry.idleLooks + 1
      entry.bytesRead = bytesRead
      if (entry.idleLooks >= idleLooksOfLost) this.connections.cut(entry.client as pg.ClientBase)
    }
  }

  private async beSilent(error: Error): Promise<void> {
    this.isSilent = true
    for (const { fail } of this.waiting) fail(error)
    this.connections.onSilent()
    this.connections.cutAll()
    while (!this.isClosed) {
      const isBack = await rejectWhenSilent(this.openAsker(), this.limits.answerMs).then(
        () => true,
        (reason) => !(reason instanceof SilentPostgresError),
      )
      if (isBack) break
      this.dropAsker()
      await new Promise((resolve) => setTimeout(resolve, recoverMs))
    }
    // Those that were begun meanwhile may be on their way to a host that is lost.
    this.connections.cutAll()
    this.isSilent = false
  }

  private async openAsker(): Promise<pg.Client> {
    if (this.asker) return this.asker
    const asker = newClient(this.connections.address, { application_name: 'peyk liveness', keepAlive: true })
    this.asker = asker
    const forget = () => {
      if (this.asker === asker) this.asker = undefined
    }
    asker.on('error', forget)
    asker.on('end', forget)
    await asker.connect().catch((error) => {
      forget()
      throw error
    })
    return asker
  }

  private dropAsker(): void {
    if (this.asker) cutClient(this.asker)
    this.asker = undefined
  }
}

function pidOf(client: pg.ClientBase | undefined): number | undefined {
  return (client as unknown as { processID?: number | null } | undefined)?.processID ?? undefined
}

function bytesReadOf(client: pg.ClientBase | undefined): number {
  return (client as unknown as { connection?: { stream?: { bytesRead?: number } } }).connection?.stream?.bytesRead ?? 0
}
