import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { onWork } from '../../../base/bus/wake.ts'
import type { Context } from '../../../base/context.ts'
import type { Durations } from '../../../base/durations.ts'
import { RequestError } from '../../../base/errors.ts'
import { createLoop, type Loop } from '../../../base/loop.ts'
import { StoreClock } from '../../../base/store/clock/store-clock.ts'
import { readStoreError } from '../../../base/store/store-error.ts'
import { leftKeptMs } from '../../installations/connections/holders-store.ts'
import { type InboxKey, notifyInbox, notifyInboxHere } from '../inbox/inbox-notifier.ts'
import { type ProviderName, providerNames } from '../provider.ts'
import { RecentAnswers } from '../senders/recent-answers.ts'
import { Senders } from '../senders/senders.ts'
import { expandAudience } from './expand-audience.ts'
import { type BatchRow, HeldBatch, type Lane } from './held-batch.ts'
import { logProgress } from './log-progress.ts'
import { MessagesInWork } from './messages-in-work.ts'
import { type LateBatch, prepareBatches } from './prepare-batches.ts'
import { type SettleAnswer, settleBatch, withoutDetails } from './settle-batches.ts'
import { settleGone } from './settle-gone.ts'
import type { Settlement } from './settlement.ts'
import { dropBatches, renewLeases, takeBatches, takeExpired } from './take-batches.ts'

type Given = Pick<Context, 'store' | 'now' | 'log' | 'external'> & { pushesPerSecond: number; durations: Durations }

export interface Dispatcher {
  start(): void
  /** What is in flight ends, what waits goes back to the work-list. */
  stop(): Promise<void>
}

const lookAgainMs = 250
const personalWaitMs = 4
const groupWaitMs = 20
const storeWaitMs = 15
const upkeepMs = 400
const expireEveryMs = 2_000
const reportEveryMs = 5_000
/** The part of a lease after which it is renewed, and the part by which we hold it for ended earlier than PostgreSQL does. */
const renewAfter = 0.3
const leaseMargin = 0.1
/** After a pause or a cancel, what waits for a connection in the pool has been called back by then. */
const withdrawMs = 300
const storeRetryMs = 500
const longestStoreRetryMs = 4_000
const stopPatienceMs = 8_000
/** When the database is slower than the providers, no more is taken: what waits to be stored is in memory. */
const mostUnstored = 50_000
/** When so many batches of an app wait for their texts to be written, no more of it are taken. */
const mostWriting = 4
/** How much of the work-list is taken at a time: many small batches of single users, few of groups. */
const share: Record<Lane, { perStream: number; limit: number }> = {
  personal: { perStream: 500, limit: 1_000 },
  group: { perStream: 2, limit: 16 },
}

/**
 * Sends what the work-list holds. Each lane takes batches, prepares them and hands their pushes to the senders; a
 * batch whose installations are all known is stored and gone.
 *
 *   delivery_batches ──take, leased──▶ held ──prepare──▶ senders ──outcomes──▶ settled ──one commit for many──▶ deliveries
 *          ▲──────────────what is to be tried again────────────────────────────────┘
 */
export function createDispatcher(given: Given): Dispatcher {
  const { store, log } = given
  const clock = StoreClock.of(store, given.now)
  const startedAtMs = performance.now()
  /** After a start all come back, however long the service was away. */
  const returningMs = () =>
    performance.now() - startedAtMs < given.durations.returnMs ? leftKeptMs : given.durations.returnMs
  const services = { ...given, now: clock.now, returningMs }
  const lease = { holder: randomUUID(), ms: services.durations.deliveryLeaseMs }
  const ownLeaseMs = lease.ms * (1 - leaseMargin)
  const held = new Map<string, HeldBatch>()
  const storing = new Set<Promise<void>>()
  /** How many batches of an app wait until their texts are written apart. */
  const writing = new Map<number, number>()
  const messages = new MessagesInWork(store)
  const recent = new RecentAnswers()
  let loops: Loop[] = []
  const wakeUp = () => {
    for (const loop of loops) loop.wake()
  }
  const senders = new Senders(services, { ratePerSecond: services.pushesPerSecond, onRoom: wakeUp })
  let stopListening: (() => void) | undefined
  let isStopping = false
  let isOver = false
  const mayGoOn = () => {
    wakeUp()
    return !isStopping
  }
  /** Of how many installations the end waits to be stored. */
  let unstored = 0

  /** Whether there is probably more: else it waits a moment, so that what comes together goes together. */
  const sendLane = async (lane: Lane): Promise<boolean> => {
    if (unstored > mostUnstored) return false
    const askedAtMs = performance.now()
    const busyApps = [...writing].flatMap(([appId, batches]) => (batches >= mostWriting ? [appId] : []))
    const rows = await takeBatches(store, { lane, lease, blocked: senders.blocked(), busyApps, ...share[lane] })
    if (rows.length > 0) await hold(rows, askedAtMs)
    return rows.length >= share[lane].perStream
  }

  const hold = async (taken: readonly BatchRow[], askedAtMs: number) => {
    const leasedUntilMs = askedAtMs + ownLeaseMs
    // When the database was away for long, our own leases have ended for us too.
    const rows = taken.filter((row) => !held.has(keyOf(row)))
    await clock.look()
    const found = await messages.find(rows)
    const orphans = rows.filter((_, index) => found[index] === undefined)
    if (orphans.length > 0) await dropBatches(store, lease.holder, orphans)
    const batches = rows.flatMap((row, index) => {
      const message = found[index]
      return message ? [new HeldBatch(row, message, leasedUntilMs, finish)] : []
    })
    for (const batch of batches) {
      held.set(keyOf(batch.row), batch)
      batch.message.batches++
    }
    try {
      await senders.refresh(new Map(batches.map(({ message }) => [message.appId, message.appLabel])))
      for (const late of await prepareBatches(services, senders, batches)) follow(late)
    } catch (error) {
      batches.forEach(letGo)
      throw error
    }
  }

  /** What was not handed over is taken again when the lease has ended. */
  const letGo = (batch: HeldBatch) => {
    if (batch.isHanded || held.get(keyOf(batch.row)) !== batch) return
    held.delete(keyOf(batch.row))
    batch.message.batches--
  }

  const follow = ({ batch, handedOver }: LateBatch) => {
    const { appId } = batch.row
    writing.set(appId, (writing.get(appId) ?? 0) + 1)
    handedOver
      .catch((error) => {
        letGo(batch)
        log.error({ err: error }, 'a batch could not be written; it is taken again')
      })
      .finally(() => {
        const left = (writing.get(appId) ?? 0) - 1
        if (left > 0) writing.set(appId, left)
        else writing.delete(appId)
        if (left < mostWriting) wakeUp()
      })
  }

  const finish = (batch: HeldBatch) => {
    batch.message.batches--
    batch.message.idleSince = performance.now()
    unstored += batch.row.installationNos.length
    keep(batch, true)
  }

  /**
   * Results that come soon after others are stored together with those that follow: many small commits would cost more
   * than they are worth. After a pause they are stored at once: somebody may be waiting for what is in the inbox.
   */
  let storingSoon: Promise<void> | undefined
  let storedAtMs = performance.now()
  const nextStoring = (): Promise<void> => {
    const waitMs = Math.max(0, storedAtMs + storeWaitMs - performance.now())
    storingSoon ??= (waitMs > 0 ? delay(waitMs) : Promise.resolve()).then(() => {
      storingSoon = undefined
      storedAtMs = performance.now()
    })
    return storingSoon
  }

  /** One after the other for a batch: its end never overtakes results that still wait for the database. */
  const keep = (batch: HeldBatch, isFinal: boolean) => {
    const kept = Promise.all([batch.stored, nextStoring()])
      .then(() => storeResults(batch, isFinal))
      .catch((error) => {
        batch.isLost = true
        log.error({ err: error }, 'results of a batch could not be stored; it is sent again')
      })
      .finally(() => {
        storing.delete(kept)
        if (!isFinal) return
        held.delete(keyOf(batch.row))
        unstored -= batch.row.installationNos.length
      })
    batch.stored = kept
    storing.add(kept)
  }

  const storeResults = async (batch: HeldBatch, isFinal: boolean): Promise<void> => {
    const { row, message } = batch
    const isEnd = isFinal && !batch.isLost
    const settled = batch.settled.splice(0)
    const putBacks = isEnd ? batch.putBacks : batch.releasePaused()
    const isStopped = batch.stopNote === 'due'
    if (settled.length + putBacks.length === 0 && !isEnd && !isStopped) return
    for (const each of settled) batch.note(each)
    const { appId, batchNo, lane, attempts } = row
    const ctx = { ...services, app: { id: appId, label: message.appLabel } }
    const settlement = { appId, batchNo, lease, lane, attempts, isFinal: isEnd, isStopped, message, settled, putBacks }
    // Before the results: whoever sees that a push found nobody finds the installation gone, too.
    if (isEnd) for (const provider of providerNames) await settleTokens(ctx, batch, provider)
    const { isOurs, areNew } = await settle(ctx, settlement)
    if (!isOurs) batch.isLost = true
    if (batch.isLost) return
    if (isStopped) batch.stopNote = 'stored'
    const notified: InboxKey[] = []
    const unrung: InboxKey[] = []
    for (const { isNotified, isKept, installationNo, fresh, state } of settled) {
      // What was there before may have been delivered since.
      if (isNotified) notified.push(areNew && fresh ? { appId, installationNo, fresh } : { appId, installationNo })
      else if (isKept || (message.product === 'message' && state !== 'ended')) unrung.push({ appId, installationNo })
    }
    if (notified.length > 0) notifyInbox(store, notified)
    if (unrung.length > 0) notifyInboxHere(store, unrung)
    if (isEnd && putBacks.length > 0) wakeUp()
  }

  /** Were it for a provider's words that it cannot be stored, the push would be sent again and again. */
  const settle = async (ctx: Context, settlement: Settlement): Promise<SettleAnswer> => {
    try {
      return await whenStoreCan(() => settleBatch(ctx, settlement))
    } catch (error) {
      log.error({ err: error }, 'results of a batch could not be stored; they are stored without details')
      return whenStoreCan(() => settleBatch(ctx, withoutDetails(settlement)))
    }
  }

  /** While the database is away, full or busy the results wait: what was sent is not to be sent again. */
  const whenStoreCan = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let waitMs = storeRetryMs; ; waitMs = Math.min(waitMs * 2, longestStoreRetryMs)) {
      try {
        return await work()
      } catch (error) {
        if (isOver || !(readStoreError(error) instanceof RequestError)) throw error
        await delay(waitMs)
      }
    }
  }

  const settleTokens = async (ctx: Context, batch: HeldBatch, provider: ProviderName) => {
    const answers = batch.tokenAnswers(provider)
    const { answered, dead, foreign } = answers
    const lately = recent.add(`${ctx.app.id}/${provider}`, { answered, dead: dead.length }, performance.now())
    if (dead.length + foreign.length === 0) return
    await whenStoreCan(() => settleGone(ctx, answers, lately)).catch((error) => {
      log.error({ err: error }, 'dead tokens could not be stored; the next push to them finds them again')
    })
  }

  /** What was cancelled or paused, and credentials that changed. */
  const watch = async (): Promise<boolean> => {
    if (await messages.refresh()) senders.endStopped()
    recordStopped()
    await senders.refreshKnown()
    return false
  }

  /** Whoever paused or cancelled a message waits to hear that all was called back that no provider has. */
  const recordStopped = () => {
    const nowMs = performance.now()
    for (const batch of held.values()) {
      if (batch.message.standing === 'running') {
        batch.stoppedSinceMs = undefined
        batch.stopNote = undefined
      } else {
        batch.stoppedSinceMs ??= nowMs
        if (batch.stopNote || !batch.isHanded || batch.open === 0 || batch.isLost) continue
        if (nowMs - batch.stoppedSinceMs < withdrawMs) continue
        batch.stopNote = 'due'
        keep(batch, false)
      }
    }
  }

  /** Keeps the leases, and stores what is known of batches that take long: less is sent twice if this process dies. */
  const renew = async (): Promise<boolean> => {
    const nowMs = performance.now()
    const batches = [...held.values()].filter(({ isLost }) => !isLost)
    for (const batch of batches) {
      if (batch.open > 0 && batch.hasNews && nowMs - batch.storedAtMs > upkeepMs) {
        batch.storedAtMs = nowMs
        keep(batch, false)
      }
    }
    const due = batches.filter(({ leasedUntilMs }) => leasedUntilMs - nowMs < ownLeaseMs - lease.ms * renewAfter)
    if (due.length === 0) return false
    const ours = await renewLeases(
      store,
      lease,
      due.map(({ row }) => row),
    )
    for (const batch of due) {
      if (ours.has(keyOf(batch.row))) batch.leasedUntilMs = nowMs + ownLeaseMs
      else if (batch.open > 0) batch.isLost = true
    }
    return false
  }

  const expire = async (): Promise<boolean> => {
    const askedAtMs = performance.now()
    const rows = await takeExpired(store, lease)
    if (rows.length > 0) await hold(rows, askedAtMs)
    return rows.length > 0
  }

  const report = async (): Promise<boolean> => {
    await clock.look()
    await logProgress(services, messages.toGroups)
    return false
  }

  // Every personal message wakes them all: those of groups need not look each time.
  const work: Pick<Parameters<typeof createLoop>[0], 'name' | 'turn' | 'shortestWaitMs'>[] = [
    { name: 'personal delivery', turn: () => sendLane('personal'), shortestWaitMs: personalWaitMs },
    { name: 'group delivery', turn: () => sendLane('group'), shortestWaitMs: groupWaitMs },
    { name: 'expansion', turn: () => expandAudience(services, lease, mayGoOn), shortestWaitMs: groupWaitMs },
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
      loops = work.map((each) => createLoop({ ...each, log, everyMs: lookAgainMs }))
      stopListening = onWork(store, wakeUp)
      for (const loop of [...loops, ...keepers]) loop.start()
    },
    async stop() {
      stopListening?.()
      isStopping = true
      await Promise.all(loops.map((loop) => loop.stop()))
      const deadline = performance.now() + stopPatienceMs
      await Promise.race([senders.close(), delay(stopPatienceMs, undefined, { ref: false })])
      while ((held.size > 0 || storing.size > 0) && performance.now() < deadline) await delay(20)
      isOver = true
      await Promise.all(keepers.map((loop) => loop.stop()))
    },
  }
}

function keyOf({ appId, batchNo }: BatchRow): string {
  return `${appId}/${batchNo}`
}
