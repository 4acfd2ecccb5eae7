import type { Context } from '#base/context.ts'
import type { Lease } from '#base/lease.ts'
import { clearPayload } from '../../messages/payloads/clear-payload.ts'
import { providerOf } from '../choose-path.ts'
import { platformOf } from '../dispatch/decide-delivery.ts'
import type { Senders } from '../senders/senders.ts'
import { ClearBatch } from './clear-batch.ts'
import { type ClearedDevice, readClearedDevices, settleClearBatch, takeClearBatches } from './clear-batches-store.ts'

type Services = Pick<Context, 'store' | 'now' | 'log'>

const batchesAtOnce = 8
const leaseMs = 60_000
/** This process gives up a batch so long before PostgreSQL does. */
const leaseMarginMs = 5_000
const waitForPausedMs = 60_000

/**
 * Tells devices by push that a message was recalled, through the senders of their app, with all that limits these. A
 * batch that a process had when it died is taken again when its lease has ended: to be told twice changes nothing.
 */
export class ClearSender {
  private readonly services: Services
  private readonly senders: Senders
  private readonly lease: Lease
  private readonly settling = new Set<Promise<void>>()

  constructor(services: Services, senders: Senders, holder: string) {
    this.services = services
    this.senders = senders
    this.lease = { holder, ms: leaseMs }
  }

  /** True when there may be more. */
  async turn(): Promise<boolean> {
    const { store, now } = this.services
    const askedAtMs = performance.now()
    const rows = await takeClearBatches(store, {
      lease: this.lease,
      blocked: this.senders.room('personal').blocked,
      limit: batchesAtOnce,
    })
    if (rows.length === 0) return false
    const devices = await readClearedDevices(store, rows)
    await this.senders.refresh(new Map(rows.map(({ appId, appLabel }) => [appId, appLabel])))
    const at = now()
    for (const [index, row] of rows.entries()) {
      const batch = new ClearBatch(row, askedAtMs + leaseMs - leaseMarginMs, (done) => this.settle(done))
      const own = row.expiresAt > at ? (devices[index] as ClearedDevice[]) : []
      for (const device of own) this.submit(batch, device, at)
      batch.handOver(row.installationNos.length - own.length)
    }
    return rows.length === batchesAtOnce
  }

  /** Returns when what is known is stored. */
  async stop(): Promise<void> {
    await Promise.all(this.settling)
  }

  private submit(batch: ClearBatch, device: ClearedDevice, at: Date): void {
    const { appId, messageId, expiresAt } = batch.row
    const { installation_no: installationNo, device_token: token, device_type: deviceType } = device
    const provider = providerOf({ token })
    const state = provider && this.senders.statesOf(appId).get(provider)
    if (!provider || !state) return void batch.end(undefined)
    if (state.isPaused) return void batch.end({ putBack: { installationNo, provider, afterMs: waitForPausedMs } })
    const payload = clearPayload(messageId, { provider, platform: platformOf(deviceType) }, { expiresAt, at })
    const item = { batch, installationNo, token, tokenChangedAt: device.token_changed_at, payload }
    this.senders.submit(provider, { ...item, wasUnclear: false })
  }

  private settle({ row, told, again, isLost }: ClearBatch): void {
    if (isLost) return
    const { store, log } = this.services
    const settled: Promise<void> = settleClearBatch(store, this.lease, { row, told, again })
      .catch((error) => log.warn({ err: error }, 'who was told of a recall could not be stored; they are told again'))
      .finally(() => this.settling.delete(settled))
    this.settling.add(settled)
  }
}
