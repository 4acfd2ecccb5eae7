import { setTimeout as delay } from 'node:timers/promises'
import type { Context } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Lease } from '#base/lease.ts'
import { readStoreError } from '#base/store/store-error.ts'
import { runInSpan } from '#base/trace/tracing.ts'
import { type InboxKey, notifyInbox, notifyInboxHere } from '../inbox/inbox-notifier.ts'
import type { ProviderName } from '../provider.ts'
import { RecentAnswers } from '../senders/recent-answers.ts'
import type { HeldBatch, Settled } from './held-batch.ts'
import { type SettleAnswer, settleBatch, withoutDetails } from './settle-batches.ts'
import { settleDeadTokens } from './settle-dead-tokens.ts'
import { type Settlement, withPresentTimes } from './settlement.ts'

const storeWaitMs = 15
const storeRetryMs = 500
const longestStoreRetryMs = 4_000

interface Listener {
  /** All of the batch is stored, or it is lost. */
  onEnd(batch: HeldBatch): void
  /** Something of it went back to the work-list. */
  onPutBack(): void
}

/** Stores what became of batches, and tells the inboxes of it. While the database is away the results wait here. */
export class ResultWriter {
  /** Of how many installations the end waits to be stored. */
  waitingInstallations = 0
  private readonly services: Omit<Context, 'app'>
  private readonly lease: Lease
  private readonly listener: Listener
  private readonly recent: RecentAnswers
  private readonly writing = new Set<Promise<void>>()
  private nextTurn: Promise<void> | undefined
  private lastTurnMs = performance.now()
  private isGivenUp = false

  constructor(services: Omit<Context, 'app'>, lease: Lease, listener: Listener) {
    this.services = services
    this.lease = lease
    this.listener = listener
    this.recent = new RecentAnswers(services.store)
  }

  get isIdle(): boolean {
    return this.writing.size === 0
  }

  /** Nothing is tried again any more. */
  giveUp(): void {
    this.isGivenUp = true
  }

  /** All installations of the batch have an end. */
  writeEnd(batch: HeldBatch): void {
    this.waitingInstallations += batch.row.installationNos.length
    this.write(batch, true)
  }

  /** What is known so far. */
  writePart(batch: HeldBatch): void {
    this.write(batch, false)
  }

  /** One after the other for a batch: its end never overtakes results that still wait for the database. */
  private write(batch: HeldBatch, isFinal: boolean): void {
    const written = Promise.all([batch.stored, this.waitForTurn()])
      .then(() => {
        const { trace } = batch
        return trace ? runInSpan(trace.span, () => this.store(batch, isFinal)) : this.store(batch, isFinal)
      })
      .catch((error) => {
        batch.isLost = true
        this.services.log.error({ err: error }, 'results of a batch could not be stored; it is sent again')
      })
      .finally(() => {
        this.writing.delete(written)
        if (!isFinal) return
        this.waitingInstallations -= batch.row.installationNos.length
        this.listener.onEnd(batch)
      })
    batch.stored = written
    this.writing.add(written)
  }

  /**
   * Results that come soon after others are stored together with those that follow: many small commits would cost more
   * than they are worth. After a pause they are stored at once: somebody may be waiting for what is in the inbox.
   */
  private waitForTurn(): Promise<void> {
    const waitMs = Math.max(0, this.lastTurnMs + storeWaitMs - performance.now())
    this.nextTurn ??= (waitMs > 0 ? delay(waitMs) : Promise.resolve()).then(() => {
      this.nextTurn = undefined
      this.lastTurnMs = performance.now()
    })
    return this.nextTurn
  }

  private async store(batch: HeldBatch, isFinal: boolean): Promise<void> {
    const { row, message } = batch
    const isEnd = isFinal && !batch.isLost
    const settled = batch.settled.splice(0)
    const putBacks = isEnd ? batch.putBacks : batch.releasePaused()
    const isStopped = batch.stopNote === 'due'
    if (settled.length + putBacks.length === 0 && !isEnd && !isStopped) return
    for (const each of settled) batch.note(each)
    const { appId, batchNo, lane, attempts } = row
    const ctx = { ...this.services, app: { id: appId, label: message.appLabel } }
    const { languages, variants } = batch
    const known = { message, languages, variants, settled, putBacks, isStopped, isFinal: isEnd }
    // Before the results: whoever sees that a push found nobody finds the installation gone, too.
    if (isEnd) for (const provider of batch.answeredBy) await this.settleTokens(ctx, batch, provider)
    const { isOurs, areNew } = await this.settle(ctx, { appId, batchNo, lane, attempts, lease: this.lease, ...known })
    if (!isOurs) batch.isLost = true
    if (batch.isLost) return
    if (isStopped) batch.stopNote = 'stored'
    this.notify(batch, settled, areNew)
    if (isEnd && putBacks.length > 0) this.listener.onPutBack()
  }

  private notify({ row: { appId }, message }: HeldBatch, settled: readonly Settled[], areNew: boolean): void {
    const connected: InboxKey[] = []
    const others: InboxKey[] = []
    for (const { isNotified, isKept, installationNo, fresh, state } of settled) {
      // What was there before may have been delivered since.
      if (isNotified) connected.push(areNew && fresh ? { appId, installationNo, fresh } : { appId, installationNo })
      else if (isKept || (message.product === 'message' && (state === 'queued' || state === 'sent')))
        others.push({ appId, installationNo })
    }
    if (connected.length > 0) notifyInbox(this.services.store, connected)
    if (others.length > 0) notifyInboxHere(this.services.store, others)
  }

  /** A result that cannot be stored with a provider's words is stored without: else the push would be sent for ever. */
  private async settle(ctx: Context, settlement: Settlement): Promise<SettleAnswer> {
    try {
      return await this.whenStoreCan(() => settleBatch(ctx, withPresentTimes(settlement, ctx.now())))
    } catch (error) {
      ctx.log.error({ err: error }, 'results of a batch could not be stored; they are stored without details')
      return this.whenStoreCan(() => settleBatch(ctx, withoutDetails(withPresentTimes(settlement, ctx.now()))))
    }
  }

  private async settleTokens(ctx: Context, batch: HeldBatch, provider: ProviderName): Promise<void> {
    const answers = batch.tokenAnswers(provider)
    const { answered, dead, foreign } = answers
    const lately = this.recent.add(`${ctx.app.id}/${provider}`, { answered, dead: dead.length }, performance.now())
    if (dead.length + foreign.length === 0) return
    await this.whenStoreCan(() => settleDeadTokens(ctx, answers, lately)).catch((error) => {
      ctx.log.error({ err: error }, 'dead tokens could not be stored; the next push to them finds them again')
    })
  }

  /** While the database is away, full or busy the results wait: what was sent is not to be sent again. */
  private async whenStoreCan<T>(work: () => Promise<T>): Promise<T> {
    for (let waitMs = storeRetryMs; ; waitMs = Math.min(waitMs * 2, longestStoreRetryMs)) {
      try {
        return await work()
      } catch (error) {
        if (this.isGivenUp || !(readStoreError(error) instanceof RequestError)) throw error
        await delay(waitMs)
      }
    }
  }
}
