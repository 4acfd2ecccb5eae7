import { setTimeout as delay } from 'node:timers/promises'
import { onWork } from '#base/bus/wake.ts'
import type { Context } from '#base/context.ts'
import type { Durations } from '#base/durations.ts'
import { createLoop, type Loop } from '#base/loop.ts'
import { StoreClock } from '#base/store/clock/store-clock.ts'
import { leftKeptMs } from '../../installations/connections/holders-store.ts'
import type { LeasedWork } from '../../messages/accept/leased-work.ts'
import { releaseDue } from '../local-time/release-due.ts'
import { GiveWay } from '../pace/give-way.ts'
import { releasePaced } from '../pace/release-paced.ts'
import { ClearSender } from '../recall/clear-sender.ts'
import { type SenderFigures, Senders } from '../senders/senders.ts'
import { NextTimes } from '../timed/next-times.ts'
import type { TimedWork } from '../timed/read-next-times.ts'
import { expandAudience } from './expand-audience.ts'
import type { BatchRow, HeldBatch, Lane } from './held-batch.ts'
import { HeldBatches } from './held-batches.ts'
import { LeasedIntake } from './leased-intake.ts'
import { logProgress } from './log-progress.ts'
import { MessagesInWork } from './messages-in-work.ts'
import { type LateBatch, prepareBatches } from './prepare-batches.ts'
import { newRecipient, type RecipientRow, readRecipients } from './read-recipients.ts'
import { ResultWriter } from './result-writer.ts'
import { takeBatches, takeExpired, takeExpiredOfDead } from './take-batches.ts'

type Given = Pick<Context, 'store' | 'now' | 'log' | 'external'> & { pushesPerSecond: number; durations: Durations }

type Turn = () => Promise<boolean>

export interface Dispatcher {
  start(): void
  /** What is in flight ends, what waits goes back to the work-list. */
  stop(): Promise<void>
  readonly figures: DispatcherFigures
}

export interface DispatcherFigures extends SenderFigures {
  heldBatches: number
  /** How many leases were lost since the start: they ended before they were renewed, or another process took over. */
  lostLeases: number
  /** Installations whose end waits to be committed. */
  unstoredInstallations: number
}

const lookAgainMs = 250
const lookForDueMs = 500
const lookAheadMs = 1_000
const personalWaitMs = 4
const groupWaitMs = 20
const upkeepMs = 400
const expireEveryMs = 2_000
const releaseEveryMs = 200
const clearEveryMs = 500
const expireOfDeadEveryMs = 30_000
const reportEveryMs = 5_000
const stopPatienceMs = 8_000
/** When the database is slower than the providers, no more is taken: what waits to be stored is in memory. */
const mostUnstored = 50_000
/** When so many batches are held, what is accepted goes into the work-list, where others can take it. */
const mostHeld = 4_000
/** When so many batches of an app wait for their texts to be written, no more of it are taken. */
const mostWriting = 4
/** How much of the work-list is taken at a time: many small batches of single users, few of groups. */
const share: Record<Lane, { perStream: number; limit: number }> = {
  personal: { perStream: 500, limit: 1_000 },
  group: { perStream: 2, limit: 32 },
}

/** A loop that is woken does not turn more often for it. */
const rhythm = (everyMs: number) => ({ everyMs, shortestWaitMs: everyMs })

/**
 * Sends what the work-list holds. Each lane takes batches, prepares them and hands their pushes to the senders; a
 * batch whose installations are all known is stored and gone. `HeldBatches` has the leases, `ResultWriter` the results.
 *
 *   accepted by this process, leased ───────────▶ held
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
  const services = { ...given, now: clock.now }
  /** How many batches of an app wait until their texts are written apart. */
  const writing = new Map<number, number>()
  let loops: Loop[] = []
  const wakeUp = () => {
    for (const loop of loops) loop.wake()
  }
  const messages = new MessagesInWork(store)
  const held = new HeldBatches(store, messages, services.durations.deliveryLeaseMs)
  const { lease } = held
  const results = new ResultWriter(services, lease, { onEnd: (batch) => held.remove(batch), onPutBack: wakeUp })
  const senders = new Senders(services, { ratePerSecond: services.pushesPerSecond, onRoom: wakeUp })
  const giveWay = new GiveWay()
  const clears = new ClearSender(services, senders, lease.holder)
  let stopListening: (() => void) | undefined
  let isStopping = false
  const mayGoOn = () => {
    wakeUp()
    return !isStopping
  }

  const hasRoomFor = (appId: number) => (writing.get(appId) ?? 0) < mostWriting
  const intake = new LeasedIntake({
    store,
    log,
    lease,
    returningMs,
    hasRoom: () => results.waitingInstallations <= mostUnstored && held.size < mostHeld,
    hasRoomFor,
    send: (work, askedAtMs) => sendLeased(work, askedAtMs),
  })

  /** Whether there is probably more: else it waits a moment, so that what comes together goes together. */
  const sendLane = async (lane: Lane): Promise<boolean> => {
    const restMs = lane === 'group' ? giveWay.nextRest() : 0
    if (restMs > 0) await delay(restMs)
    if (isStopping || results.waitingInstallations > mostUnstored) return false
    const askedAtMs = performance.now()
    const busyApps = [...writing.keys()].filter((appId) => !hasRoomFor(appId))
    const room = senders.room(lane)
    const rows = await takeBatches(store, { lane, lease, ...room, busyApps, ...share[lane] })
    if (rows.length > 0) await send(rows, askedAtMs)
    if (rows.length > 0 && lane === 'personal') giveWay.note(performance.now() - askedAtMs)
    return rows.length >= share[lane].perStream
  }

  const send = async (rows: readonly BatchRow[], askedAtMs: number) => {
    await clock.look()
    const batches = await held.add(rows, askedAtMs, finish)
    await prepare(batches, () => readRecipients(store, batches, returningMs()))
  }

  /** What this process has just accepted, and knows all about. */
  const sendLeased = async (work: readonly LeasedWork[], askedAtMs: number) => {
    const batches = held.addLeased(work, askedAtMs, finish)
    giveWay.note(performance.now() - askedAtMs)
    await prepare(batches, async () => {
      await clock.look()
      return work.map(({ installations }) => installations.map(newRecipient))
    })
  }

  const prepare = async (batches: readonly HeldBatch[], findRecipients: () => Promise<RecipientRow[][]>) => {
    try {
      await senders.refresh(new Map(batches.map(({ message }) => [message.appId, message.appLabel])))
      for (const late of await prepareBatches(services, senders, batches, await findRecipients())) follow(late)
    } catch (error) {
      for (const batch of batches) held.letGo(batch)
      throw error
    }
  }

  const follow = ({ batch, handedOver }: LateBatch) => {
    const { appId } = batch.row
    writing.set(appId, (writing.get(appId) ?? 0) + 1)
    handedOver
      .catch((error) => {
        held.letGo(batch)
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
    results.writeEnd(batch)
  }

  /** What was cancelled or paused, and credentials that changed. */
  const watch = async (): Promise<boolean> => {
    if (await messages.refresh()) senders.endStopped()
    for (const batch of held.takeStopped()) results.writePart(batch)
    await senders.refreshKnown()
    return false
  }

  const renew = async (): Promise<boolean> => {
    for (const batch of held.takeUnstored(upkeepMs)) results.writePart(batch)
    await held.renew()
    return false
  }

  const times = new NextTimes(store, lookAheadMs)
  const lookAhead = async (looker?: TimedWork): Promise<boolean> => {
    await times.look()
    for (const [work, loop] of timed) if (work !== looker && times.isDue(work)) loop.wake()
    return false
  }
  /** While nothing is due, nothing is asked of the database but when something will be. */
  const onTime = (work: TimedWork, options: { name: string; everyMs: number; shortestWaitMs?: number }, turn: Turn) => {
    const ownTurn = async () => {
      if (isStopping || !times.isDue(work)) return false
      const isMore = await turn()
      await lookAhead(work)
      return isMore
    }
    return [work, createLoop({ ...options, log, turn: ownTurn })] as const
  }

  const expireBy = (take: typeof takeExpired) => async (): Promise<boolean> => {
    const askedAtMs = performance.now()
    const rows = await take(store, lease)
    if (rows.length > 0) await send(rows, askedAtMs)
    return rows.length > 0
  }

  const release = async (): Promise<boolean> => {
    const isMore = await releaseDue(store)
    if (isMore) wakeUp()
    return isMore
  }

  const expandForLater = () => expandAudience(services, lease, () => !isStopping, 'later')

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
  const timed = new Map<TimedWork, Loop>([
    onTime('due', { name: 'the release of what is due', everyMs: lookForDueMs }, release),
    onTime('expansion', { name: 'expansion by local time', everyMs: lookForDueMs }, expandForLater),
    onTime('pace', { name: 'the pace of messages', ...rhythm(releaseEveryMs) }, () => releasePaced(services)),
    onTime('recall', { name: 'recalls', ...rhythm(clearEveryMs) }, () => clears.turn()),
  ])
  const keepers = [
    createLoop({ name: 'the watch over messages', log, everyMs: upkeepMs, turn: watch }),
    createLoop({ name: 'the renewal of leases', log, everyMs: upkeepMs, turn: renew }),
    createLoop({ name: 'the end of expired messages', log, everyMs: expireEveryMs, turn: expireBy(takeExpired) }),
    createLoop({
      name: 'the end of expired messages of dead processes',
      log,
      everyMs: expireOfDeadEveryMs,
      turn: expireBy(takeExpiredOfDead),
    }),
    createLoop({ name: 'the report of progress', log, everyMs: reportEveryMs, turn: report }),
  ]

  return {
    get figures() {
      return {
        ...senders.figures,
        heldBatches: held.size,
        lostLeases: held.lost,
        unstoredInstallations: results.waitingInstallations,
      }
    },
    start() {
      if (loops.length > 0) return
      loops = [
        ...work.map((each) => createLoop({ ...each, log, everyMs: lookAgainMs })),
        createLoop({
          name: 'the look at what is due next',
          log,
          everyMs: lookAheadMs,
          shortestWaitMs: releaseEveryMs,
          turn: () => lookAhead(),
        }),
      ]
      stopListening = onWork(store, wakeUp)
      intake.start()
      for (const loop of [...loops, ...timed.values(), ...keepers]) loop.start()
    },
    async stop() {
      stopListening?.()
      isStopping = true
      await intake.stop()
      await Promise.all([...loops, ...timed.values()].map((loop) => loop.stop()))
      const deadline = performance.now() + stopPatienceMs
      await Promise.race([senders.close(), delay(stopPatienceMs, undefined, { ref: false })])
      while ((held.size > 0 || !results.isIdle) && performance.now() < deadline) await delay(20)
      await clears.stop()
      results.giveUp()
      await Promise.all(keepers.map((loop) => loop.stop()))
    },
  }
}
