import { runInSpan } from '#base/trace/tracing.ts'
import type { Outcome, Provider } from '../provider.ts'
import { endOf, endUnsent, isToBeSent, pausedWaitMs, putBackOf } from './end-of-item.ts'
import type { SendItem } from './send-item.ts'
import { TokenBucket } from './token-bucket.ts'
import { TurnsQueue } from './turns-queue.ts'
import { WaitingQueue } from './waiting-queue.ts'

type SendQueue = Pick<WaitingQueue<SendItem>, 'length' | 'first' | 'peek' | 'shift' | 'takeWhere'>

/** `open`: it sends. `blocked`: the breaker, or the provider, has it wait. `half-open`: it tries one at a time. */
export type SenderState = 'open' | 'blocked' | 'half-open' | 'paused'

export interface SenderOptions {
  ratePerSecond: number
  maxInFlight: number
  maxWaiting: number
  now(): Date
  /** The credentials were refused. Answers when that is stored. */
  onPaused(detail: string): Promise<void>
  /** There may be room again. */
  onRoom(): void
  onOutcome(outcome: Outcome): void
  /** Returns the pushes whose installation has another user or another token by now. */
  findChanged(items: readonly SendItem[]): Promise<ReadonlySet<SendItem>>
  /** The provider, or the breaker, has it wait. */
  onWait?(wait: { ms: number; isQuota: boolean }): void
}

const SECOND = 1_000
/** What a provider wants us to wait is waited in memory up to here, and in the work-list beyond. */
const patienceMs = 1 * SECOND
const retryUnclearMs = 1 * SECOND
/**
 * [sending.md#a-device-that-changes-users] A push that was not checked for longer than this is checked again before it
 * is written.
 */
const staleMs = 1 * SECOND
/** The next pushes are checked this early, so that sending does not wait for the check. */
const checkAheadMs = 600
const checkedAtOnce = 500
const checkAgainMs = 500
const crowdedWaitMs = 1 * SECOND
const failuresToOpen = 5
const shareOfGroups = 0.9
/** As a multiple of `maxWaiting`. From twice `maxWaiting` on, submitted pushes are requeued. */
const roomForOthers = 1.5

/**
 * Everything that goes to one provider for one app: a token bucket, a bounded number in flight, and a breaker, so that
 * neither a dead provider nor a big send is felt elsewhere. Personal pushes overtake those of groups, whose messages
 * take turns. While a push waits, its installation may pass to another user, so pushes that waited for a second are
 * checked again, many in one statement.
 *
 *   closed ──5 failures, or the provider says wait──▶ blocked until … ──▶ half open: one at a time ──accepted──▶ closed
 *                                                        ▲───────────────────failure──────────┘
 *   any ──credentials refused──▶ paused: all goes back to the work-list, until a person has looked
 */
export class Sender {
  readonly provider: Provider
  /** It is paused, and the store says so. */
  isPauseStored = false
  private readonly options: SenderOptions
  private readonly bucket: TokenBucket
  private readonly personal = new WaitingQueue<SendItem>()
  private readonly group = new TurnsQueue<SendItem>(({ batch }) => batch.message.id)
  /** Pushes that were at the provider, which had no room for them until they were stale. */
  private readonly returned = new WaitingQueue<SendItem>()
  /** In sending order. */
  private readonly queues: readonly SendQueue[] = [this.returned, this.personal, this.group]
  private isChecking = false
  private inFlight = 0
  private sent = 0
  private sentWhenAsked = 0
  private groupsInFlight = 0
  private blockedUntilMs = 0
  private failures = 0
  private openings = 0
  private isHalfOpen = false
  private isPaused = false
  private isClosed = false
  private wasFull = false
  private timer: NodeJS.Timeout | undefined

  constructor(provider: Provider, options: SenderOptions) {
    this.provider = provider
    this.options = options
    this.bucket = new TokenBucket(options.ratePerSecond, performance.now())
  }

  get state(): SenderState {
    if (this.isPaused) return 'paused'
    return this.isBlocked(performance.now()) ? 'blocked' : this.isHalfOpen ? 'half-open' : 'open'
  }

  get countInFlight(): number {
    return this.inFlight
  }

  /** Whether another batch should be taken for it. */
  get hasRoom(): boolean {
    return !this.isPaused && this.waiting < this.options.maxWaiting && !this.isBlocked(performance.now())
  }

  /** Whether a group message that has nothing waiting here may be taken although there is no room for the others. */
  get hasRoomForOthers(): boolean {
    const { maxWaiting } = this.options
    const isFull = this.waiting >= maxWaiting * roomForOthers || this.personal.length >= maxWaiting
    return !this.isPaused && !isFull && !this.isBlocked(performance.now())
  }

  /** Group messages that have pushes waiting here. */
  get waitingGroups(): string[] {
    return this.group.keys
  }

  /** Whether it has, or has had since this was last asked, something to send. */
  checkBusy(): boolean {
    const hasSent = this.sent !== this.sentWhenAsked
    this.sentWhenAsked = this.sent
    return hasSent || this.inFlight > 0 || this.waiting > 0
  }

  setRate(ratePerSecond: number): void {
    this.bucket.setRate(ratePerSecond, performance.now())
  }

  /** Another process that sends the same was told to wait. */
  waitAsTold(ms: number, isQuota: boolean): void {
    const nowMs = performance.now()
    if (isQuota) this.bucket.slowDown(nowMs)
    this.block(nowMs, ms)
  }

  get waiting(): number {
    return this.personal.length + this.group.length + this.returned.length
  }

  submit(item: SendItem): void {
    const waitMs = this.waitMs(performance.now())
    if (waitMs !== undefined) {
      item.batch.end({ putBack: putBackOf(item, this.provider.name, waitMs) })
      return
    }
    if (item.batch.row.lane === 'personal') this.personal.push(item)
    else this.group.push(item)
    if (this.waiting >= this.options.maxWaiting) this.wasFull = true
    this.pump()
  }

  /** What waits here and is not to be sent any more has its end at once, also when nothing moves. */
  endStopped(): void {
    const at = this.options.now()
    for (const queue of this.queues) {
      for (const item of queue.takeWhere((each) => !isToBeSent(each, at)))
        item.batch.end(endUnsent(item, this.provider.name, at))
    }
  }

  /** What is in flight ends; what waits goes back. */
  close(): void {
    this.isClosed = true
    this.giveBackAll(0)
  }

  private isBlocked(nowMs: number): boolean {
    return this.blockedUntilMs > nowMs
  }

  /** How long to wait in the work-list instead of here. */
  private waitMs(nowMs: number): number | undefined {
    if (this.isClosed) return 0
    if (this.isPaused) return pausedWaitMs
    const blockedMs = this.blockedUntilMs - nowMs
    if (blockedMs > patienceMs) return blockedMs
    return this.waiting >= this.options.maxWaiting * 2 ? crowdedWaitMs : undefined
  }

  private pump(): void {
    if (this.timer) return
    const nowMs = performance.now()
    const max = this.isHalfOpen ? 1 : this.options.maxInFlight
    let waitMs = this.blockedUntilMs - nowMs
    while (waitMs <= 0 && this.inFlight < max && this.waiting > 0) {
      const queue = this.queues.find(({ length }) => length > 0) as SendQueue
      if (queue === this.group && !this.isHalfOpen && this.groupsInFlight >= max * shareOfGroups) return
      const age = ageOf(queue.first as SendItem, nowMs)
      if (age > checkAheadMs) this.check(queue)
      if (age > staleMs) return
      if (this.bucket.take(nowMs)) this.next(queue)
      else waitMs = this.bucket.msUntilNext(nowMs)
    }
    if (waitMs > 0 && this.waiting > 0) this.pumpAfter(waitMs)
  }

  private pumpAfter(ms: number): void {
    this.timer = setTimeout(() => {
      this.timer = undefined
      this.pump()
    }, ms)
  }

  /** Checks the next pushes of a queue again. Changed ones are requeued and decided again. */
  private check(queue: SendQueue): void {
    if (this.isChecking) return
    this.isChecking = true
    const nowMs = performance.now()
    const items = queue.peek(checkedAtOnce).filter((item) => ageOf(item, nowMs) > checkAheadMs)
    this.options.findChanged(items).then(
      (changed) => {
        this.isChecking = false
        for (const item of items) if (item.owner && !changed.has(item)) item.owner.seenAtMs = nowMs
        if (changed.size > 0) this.giveBack((item) => changed.has(item), 0)
        this.pump()
      },
      () => {
        // The database is unavailable. No stale push is sent meanwhile.
        setTimeout(() => {
          this.isChecking = false
          this.pump()
        }, checkAgainMs)
      },
    )
  }

  private next(queue: SendQueue): void {
    const item = queue.shift() as SendItem
    const { batch } = item
    const at = this.options.now()
    if (isToBeSent(item, at)) this.send(item)
    else {
      this.bucket.giveBack()
      batch.end(endUnsent(item, this.provider.name, at))
    }
  }

  private send(item: SendItem): void {
    const isGroup = item.batch.row.lane === 'group'
    this.inFlight++
    this.sent++
    if (isGroup) this.groupsInFlight++
    const { trace } = item.batch
    const call = trace?.startCall(this.provider.name)
    const push = {
      messageId: item.batch.message.id,
      installationNo: item.installationNo,
      token: item.token,
      tokenChangedAt: item.tokenChangedAt,
      payload: item.payload,
      expiresAt: item.batch.message.expiresAt,
      isWanted: (isNext: boolean) =>
        isToBeSent(item, this.options.now()) && !(isNext && ageOf(item, performance.now()) > staleMs),
    }
    const sending = call ? runInSpan(call, () => this.provider.send(push)) : this.provider.send(push)
    sending.then((outcome) => {
      trace?.endCall(call, outcome)
      this.inFlight--
      if (isGroup) this.groupsInFlight--
      const wasWithdrawn = outcome.kind === 'later' && outcome.wasWithdrawn === true
      if (!wasWithdrawn) {
        this.options.onOutcome(outcome)
        this.updateBreaker(outcome)
      }
      if (outcome.kind === 'unknown' && !item.wasUnclear) this.sendAgain(item)
      else if (wasWithdrawn && isToBeSent(item, this.options.now()) && this.waitMs(performance.now()) === undefined)
        this.returned.push(item)
      else item.batch.end(endOf(item, this.provider.name, outcome, this.options.now()))
      this.pump()
      if (this.wasFull && this.waiting < this.options.maxWaiting / 2) {
        this.wasFull = false
        this.options.onRoom()
      }
    })
  }

  /** What an answer says about those to come. */
  private updateBreaker(outcome: Outcome): void {
    const nowMs = performance.now()
    if (outcome.kind === 'paused') {
      if (this.isPaused) return
      this.isPaused = true
      this.options.onPaused(outcome.detail).then(() => {
        this.isPauseStored = true
      })
      this.giveBackAll(pausedWaitMs)
    } else if (outcome.kind === 'later' && outcome.isForAll) {
      if (outcome.isQuota) this.bucket.slowDown(nowMs)
      this.failures++
      this.blockAndTell(nowMs, outcome.retryAfterMs, outcome.isQuota === true)
    } else if (!this.provider.isOfManyHosts && isFault(outcome)) {
      this.failures++
      if (this.failures >= failuresToOpen || this.isHalfOpen) this.open(nowMs)
    } else {
      this.failures = 0
      this.openings = 0
      this.isHalfOpen = false
    }
  }

  private open(nowMs: number): void {
    if (this.isBlocked(nowMs)) return
    this.blockAndTell(nowMs, SECOND * 2 ** Math.min(this.openings++, 6), false)
  }

  private blockAndTell(nowMs: number, ms: number, isQuota: boolean): void {
    this.block(nowMs, ms)
    this.options.onWait?.({ ms: this.blockedUntilMs - nowMs, isQuota })
  }

  private block(nowMs: number, ms: number): void {
    this.isHalfOpen = true
    this.blockedUntilMs = Math.max(this.blockedUntilMs, nowMs + ms)
    if (ms > patienceMs) this.giveBackAll(ms)
  }

  private giveBackAll(afterMs: number): void {
    this.giveBack(() => true, afterMs)
  }

  private giveBack(isMeant: (item: SendItem) => boolean, afterMs: number): void {
    for (const queue of this.queues)
      for (const item of queue.takeWhere(isMeant))
        item.batch.end({ putBack: putBackOf(item, this.provider.name, afterMs) })
  }

  /** Once: the device shows a message id once, and a second silence is an honest end. */
  private sendAgain(item: SendItem): void {
    item.wasUnclear = true
    setTimeout(() => this.submit(item), retryUnclearMs)
  }
}

function isFault(outcome: Outcome): boolean {
  return outcome.kind === 'unknown' || (outcome.kind === 'later' && outcome.isFault === true)
}

function ageOf({ owner }: SendItem, nowMs: number): number {
  return owner ? nowMs - owner.seenAtMs : 0
}
