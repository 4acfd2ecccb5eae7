import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '../../../base/context.ts'
import { createLoop, type Loop } from '../../../base/loop.ts'
import { isStoreAway } from '../../../base/store/store-error.ts'
import { onWork } from '../../../base/wake.ts'
import { type ProviderName, providerNames } from '../provider.ts'
import { expandAudience } from './expand-audience.ts'
import { type BatchRow, HeldBatch, type Lane } from './held-batch.ts'
import { logProgress } from './log-progress.ts'
import { MessagesInWork } from './messages-in-work.ts'
import { prepareBatches } from './prepare-batches.ts'
import { Senders } from './senders.ts'
import { settleBatch } from './settle-batches.ts'
import { settleGone } from './settle-gone.ts'
import { dropBatches, leaseMs, renewLeases, takeBatches, takeExpired } from './take-batches.ts'

type Services = Pick<Context, 'store' | 'now' | 'log' | 'outside'> & { pushesPerSecond: number }

export interface Dispatcher {
  start(): void
  /** What is in flight ends, what waits goes back to the work-list. */
  stop(): Promise<void>
}

const lookAgainMs = 250
const upkeepMs = 400
const expireEveryMs = 2_000
const reportEveryMs = 5_000
const renewEveryMs = 3_000
/** By so much earlier than PostgreSQL we hold a lease for ended. */
const leaseMarginMs = 1_000
const storeRetryMs = 500
const longestStoreRetryMs = 4_000
const stopPatienceMs = 8_000
/** How much of the work-list is taken at a time: many small batches of single users, few of groups. */
const share: Record<Lane, { perStream: number; limit: number }> = {
  personal: { perStream: 200, limit: 400 },
  group: { perStream: 2, limit: 16 },
}

/**
 * Sends what the work-list holds. Each lane takes batches, prepares them and hands their pushes to the senders; a
 * batch whose installations are all known is stored and gone.
 *
 *   delivery_batches ──take, leased──▶ held ──prepare──▶ senders ──outcomes──▶ settled ──one commit for many──▶ deliveries
 *          ▲──────────────what is to be tried again────────────────────────────────┘
 */
export function createDispatcher(services: Services): Dispatcher {
  const { store, log } = services
  const holder = randomUUID()
  const held = new Set<HeldBatch>()
  const storing = new Set<Promise<void>>()
  const messages = new MessagesInWork(store)
  let loops: Loop[] = []
  const ring = () => {
    for (const loop of loops) loop.wake()
  }
  const senders = new Senders(services, { ratePerSecond: services.pushesPerSecond, onRoom: ring })
  let stopListening: (() => void) | undefined

  const sendLane = async (lane: Lane): Promise<boolean> => {
    const rows = await takeBatches(store, { lane, holder, blocked: senders.blocked(), ...share[lane] })
    if (rows.length > 0) await hold(rows)
    return rows.length > 0
  }

  const hold = async (rows: readonly BatchRow[]) => {
    const leasedUntilMs = performance.now() + leaseMs - leaseMarginMs
    const found = await messages.find(rows)
    const orphans = rows.filter((_, index) => found[index] === undefined)
    if (orphans.length > 0) await dropBatches(store, holder, orphans)
    const batches = rows.flatMap((row, index) => {
      const message = found[index]
      return message ? [new HeldBatch(row, message, leasedUntilMs, finish)] : []
    })
    for (const batch of batches) {
      held.add(batch)
      batch.message.batches++
    }
    try {
      await senders.refresh(new Map(batches.map(({ message }) => [message.appId, message.appLabel])))
      await prepareBatches(services, senders, batches)
    } catch (error) {
      // What was not handed over is taken again when the lease has ended.
      for (const batch of batches) {
        if (batch.isHanded) continue
        held.delete(batch)
        batch.message.batches--
      }
      throw error
    }
  }

  const finish = (batch: HeldBatch) => {
    held.delete(batch)
    batch.message.batches--
    batch.message.idleSince = performance.now()
    if (!batch.isLost || batch.settled.length > 0) keep(storeResults(batch, true))
  }

  const keep = (work: Promise<void>) => {
    const kept = work
      .catch((error) => log.error({ err: error }, 'results of a batch could not be stored; it is sent again'))
      .finally(() => storing.delete(kept))
    storing.add(kept)
  }

  /** While the database is away the results wait: nobody else can take the batch meanwhile. */
  const storeResults = async (batch: HeldBatch, isFinal: boolean): Promise<void> => {
    const { row, message, putBacks } = batch
    const settled = batch.settled.splice(0)
    for (const each of settled) batch.note(each)
    const { appId, batchNo, lane, attempts } = row
    const ctx = { ...services, app: { id: appId, label: message.appLabel } }
    const settlement = {
      appId,
      batchNo,
      holder,
      lane,
      attempts,
      isFinal: isFinal && !batch.isLost,
      message,
      settled,
      putBacks,
    }
    for (let waitMs = storeRetryMs; ; waitMs = Math.min(waitMs * 2, longestStoreRetryMs)) {
      try {
        const isOurs = await settleBatch(ctx, settlement)
        if (!isOurs) batch.isLost = true
        else if (putBacks.length > 0 && isFinal) ring()
        break
      } catch (error) {
        if (!isStoreAway(error)) throw error
        await delay(waitMs)
      }
    }
    if (!isFinal || batch.isLost) return
    for (const provider of providerNames) await settleTokens(ctx, batch, provider)
  }

  const settleTokens = async (ctx: Context, batch: HeldBatch, provider: ProviderName) => {
    const answers = batch.tokenAnswers(provider)
    if (answers.dead.length + answers.foreign.length > 0) await settleGone(ctx, answers)
  }

  /** What was cancelled or paused, and credentials that changed. */
  const watch = async (): Promise<boolean> => {
    await messages.refresh()
    await senders.refreshKnown()
    return false
  }

  /** Keeps the leases, and stores what is known of batches that take long: less is sent twice if this process dies. */
  const renew = async (): Promise<boolean> => {
    const nowMs = performance.now()
    const batches = [...held].filter(({ isLost }) => !isLost)
    for (const batch of batches) {
      if (batch.settled.length > 0 && nowMs - batch.storedAtMs > upkeepMs) {
        batch.storedAtMs = nowMs
        keep(storeResults(batch, false))
      }
    }
    const due = batches.filter(({ leasedUntilMs }) => leasedUntilMs - nowMs < leaseMs - leaseMarginMs - renewEveryMs)
    if (due.length === 0) return false
    const ours = await renewLeases(
      store,
      holder,
      due.map(({ row }) => row),
    )
    for (const batch of due) {
      if (ours.has(`${batch.row.appId}/${batch.row.batchNo}`)) batch.leasedUntilMs = nowMs + leaseMs - leaseMarginMs
      else if (held.has(batch)) batch.isLost = true
    }
    return false
  }

  const expire = async (): Promise<boolean> => {
    const rows = await takeExpired(store, holder)
    if (rows.length > 0) await hold(rows)
    return rows.length > 0
  }

  const report = async (): Promise<boolean> => {
    await logProgress(services, messages.toGroups)
    return false
  }

  const work: Pick<Parameters<typeof createLoop>[0], 'name' | 'turn'>[] = [
    { name: 'personal delivery', turn: () => sendLane('personal') },
    { name: 'group delivery', turn: () => sendLane('group') },
    { name: 'expansion', turn: () => expandAudience(services, holder, ring) },
  ]
  const keepers = [
    createLoop({ name: 'the watch over messages', log, everyMs: upkeepMs, turn: watch }),
    createLoop({ name: 'the renewal of leases', log, everyMs: upkeepMs, turn: renew }),
    createLoop({ name: 'the end of expired messages', log, everyMs: expireEveryMs, turn: expire }),
    createLoop({ name: 'the report of progress', log, everyMs: reportEveryMs, turn: report }),
  ]

  return {
    start() {
      if (loops.length > 0) return
      loops = work.map((each) => createLoop({ ...each, log, everyMs: lookAgainMs, shortestWaitMs: 0 }))
      stopListening = onWork(store, ring)
      for (const loop of [...loops, ...keepers]) loop.start()
    },
    async stop() {
      stopListening?.()
      await Promise.all(loops.map((loop) => loop.stop()))
      const deadline = performance.now() + stopPatienceMs
      await Promise.race([senders.close(), delay(stopPatienceMs, undefined, { ref: false })])
      while ((held.size > 0 || storing.size > 0) && performance.now() < deadline) await delay(20)
      await Promise.all(keepers.map((loop) => loop.stop()))
    },
  }
}
