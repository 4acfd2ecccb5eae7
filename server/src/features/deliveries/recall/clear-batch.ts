import { randomUUID } from 'node:crypto'
import type { ItemEnd, MessageInWork } from '../dispatch/held-batch.ts'
import type { SendingBatch } from '../senders/send-item.ts'

/** A row of recall_batches that this process has leased. */
export interface ClearRow {
  appId: number
  appLabel: string
  batchNo: number
  messageId: string
  stream: string
  attempts: number
  installationNos: number[]
  expiresAt: Date
}

/** Pushes that tell devices that a message was recalled, while they are with the senders. */
export class ClearBatch implements SendingBatch {
  readonly row: ClearRow & { lane: 'group' }
  readonly message: Pick<MessageInWork, 'id' | 'expiresAt' | 'standing'>
  readonly chance = Math.random()
  isLost = false
  /** Devices that a provider has told. */
  readonly told: number[] = []
  /** Devices that are to be told later, and in how many milliseconds. */
  readonly again = new Map<number, number>()
  private readonly leasedUntilMs: number
  /** Devices that have no end yet, and one more until all are with the senders. */
  private open: number
  private readonly onDone: (batch: ClearBatch) => void

  constructor(row: ClearRow, leasedUntilMs: number, onDone: (batch: ClearBatch) => void) {
    this.row = { ...row, lane: 'group' }
    // A push of its own to the provider, not the message once more.
    this.message = { id: randomUUID(), expiresAt: row.expiresAt, standing: 'running' }
    this.leasedUntilMs = leasedUntilMs
    this.onDone = onDone
    this.open = row.installationNos.length + 1
  }

  isOurs(): boolean {
    if (this.leasedUntilMs < performance.now()) this.isLost = true
    return !this.isLost
  }

  /** What a device answered says nothing of the message's delivery: only whether it was told counts. */
  end(end: ItemEnd): void {
    if (end && 'settled' in end) {
      if (end.settled.state === 'sent') this.told.push(end.settled.installationNo)
    } else if (end) this.again.set(end.putBack.installationNo, end.putBack.afterMs)
    this.close(1)
  }

  /** All are with the senders but so many, to which nothing is to be sent. */
  handOver(skipped: number): void {
    this.close(skipped + 1)
  }

  private close(count: number): void {
    this.open -= count
    if (this.open === 0) this.onDone(this)
  }
}
