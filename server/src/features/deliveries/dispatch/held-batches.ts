import { randomUUID } from 'node:crypto'
import type { Lease } from '#base/lease.ts'
import type { Store } from '#base/store/store.ts'
import { isTracing } from '#base/trace/tracing.ts'
import type { LeasedWork } from '../../messages/accept/leased-work.ts'
import { type BatchTrace, startBatchTrace } from '../senders/batch-trace.ts'
import { type BatchRow, HeldBatch, type MessageInWork } from './held-batch.ts'
import { dropOrphans, renewLeases } from './leases.ts'
import type { MessagesInWork } from './messages-in-work.ts'

/** A lease is renewed after this part of its time. */
const renewAfter = 0.3
/** This process treats a lease as ended this part of its time before PostgreSQL does. */
const leaseMargin = 0.1
/** After a pause or a cancel, what waits for a connection in the pool has been called back by then. */
const withdrawMs = 300

/** The batches that this process has leased: until they are stored, let go, or lost to another process. */
export class HeldBatches {
  readonly lease: Lease
  /** How many ended without being ours any more, since the start. */
  lost = 0
  private readonly store: Store
  private readonly messages: MessagesInWork
  private readonly ownLeaseMs: number
  private readonly held = new Map<string, HeldBatch>()

  constructor(store: Store, messages: MessagesInWork, leaseMs: number) {
    this.store = store
    this.messages = messages
    this.lease = { holder: randomUUID(), ms: leaseMs }
    this.ownLeaseMs = leaseMs * (1 - leaseMargin)
  }

  get size(): number {
    return this.held.size
  }

  /** Of rows that were leased at this time. Those of messages that are gone are dropped. */
  async add(taken: readonly BatchRow[], askedAtMs: number, onDone: (batch: HeldBatch) => void): Promise<HeldBatch[]> {
    // When the database was away for long, our own leases have ended for us too.
    const rows = taken.filter((row) => !this.held.has(keyOf(row)))
    const found = await this.messages.claim(rows)
    const batches = rows.flatMap((row, index) => {
      const message = found[index]
      return message ? [this.hold(row, message, askedAtMs, onDone)] : []
    })
    const orphans = rows.filter((_, index) => found[index] === undefined)
    try {
      if (orphans.length > 0) await dropOrphans(this.store, this.lease, orphans)
    } catch (error) {
      for (const batch of batches) this.letGo(batch)
      throw error
    }
    return batches
  }

  /** Of work that was stored with our lease, which was asked for at this time. */
  addLeased(work: readonly LeasedWork[], askedAtMs: number, onDone: (batch: HeldBatch) => void): HeldBatch[] {
    return work.map((each) => this.hold(readLeased(each), this.messages.claimLeased(each), askedAtMs, onDone))
  }

  private hold(
    row: BatchRow,
    message: MessageInWork,
    askedAtMs: number,
    onDone: (batch: HeldBatch) => void,
  ): HeldBatch {
    const batch = new HeldBatch(row, message, askedAtMs + this.ownLeaseMs, onDone, askedAtMs)
    if (isTracing()) batch.trace = startTrace(batch)
    this.held.set(keyOf(row), batch)
    return batch
  }

  /** What was not handed over is taken again when the lease has ended. */
  letGo(batch: HeldBatch): void {
    if (batch.isHanded || this.held.get(keyOf(batch.row)) !== batch) return
    this.remove(batch)
    batch.message.batches--
  }

  remove(batch: HeldBatch): void {
    if (batch.isLost) this.lost++
    batch.trace?.end(batch.isLost)
    this.held.delete(keyOf(batch.row))
    batch.leave()
  }

  /** Batches of which something is known that was not stored for so long: less is sent twice if this process dies. */
  takeUnstored(forMs: number): HeldBatch[] {
    const nowMs = performance.now()
    const unstored = this.ours.filter(
      ({ open, hasNews, storedAtMs }) => open > 0 && hasNews && nowMs - storedAtMs > forMs,
    )
    for (const batch of unstored) batch.storedAtMs = nowMs
    return unstored
  }

  /**
   * Batches whose message was paused or cancelled, and of which all was called back that no provider has: whoever asked
   * for it waits to hear that.
   */
  takeStopped(): HeldBatch[] {
    const nowMs = performance.now()
    const stopped: HeldBatch[] = []
    for (const batch of this.held.values()) {
      if (batch.message.standing === 'running') {
        batch.stoppedSinceMs = undefined
        batch.stopNote = undefined
        continue
      }
      batch.stoppedSinceMs ??= nowMs
      if (batch.stopNote || !batch.isHanded || batch.open === 0 || batch.isLost) continue
      if (nowMs - batch.stoppedSinceMs < withdrawMs) continue
      batch.stopNote = 'due'
      stopped.push(batch)
    }
    return stopped
  }

  /** Renews the leases that have run for a while. A batch that another process has by now is lost. */
  async renew(): Promise<void> {
    const nowMs = performance.now()
    const renewBelowMs = this.ownLeaseMs - this.lease.ms * renewAfter
    const due = this.ours.filter(({ leasedUntilMs }) => leasedUntilMs - nowMs < renewBelowMs)
    if (due.length === 0) return
    const rows = due.map(({ row }) => row)
    const renewed = await renewLeases(this.store, this.lease, rows)
    for (const batch of due) {
      if (renewed.has(keyOf(batch.row))) batch.leasedUntilMs = nowMs + this.ownLeaseMs
      else if (batch.open > 0) batch.isLost = true
    }
  }

  private get ours(): HeldBatch[] {
    return [...this.held.values()].filter(({ isLost }) => !isLost)
  }
}

function startTrace({ row, message: { appLabel } }: HeldBatch): BatchTrace | undefined {
  const { messageId, lane, attempts, installationNos } = row
  return startBatchTrace({ appLabel, messageId, lane, attempts, installations: installationNos.length })
}

function readLeased({ batchNo, draft, installations }: LeasedWork): BatchRow {
  return {
    appId: draft.appId,
    batchNo,
    messageId: draft.id,
    lane: 'personal',
    stream: 'mixed',
    attempts: 1,
    wasUnclear: false,
    installationNos: installations.map((each) => each.installation_no),
  }
}

function keyOf({ appId, batchNo }: BatchRow): string {
  return `${appId}/${batchNo}`
}
