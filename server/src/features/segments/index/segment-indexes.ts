import type { Logger } from '#base/log.ts'
import type { Store, Transaction } from '#base/store/store.ts'
import type { StepCounts } from '../count/count-steps.ts'
import type { IndexQuestion, IndexSource } from './ask-index.ts'
import type { Answers } from './index-messages.ts'
import {
  findLogPosition,
  findObstacle,
  hasInstallations,
  preparePublication,
  publication,
  readLogPosition,
} from './index-store.ts'
import type { ListedPart } from './listed-part.ts'
import { type IndexEnd, SegmentIndex } from './segment-index.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const MB = 1_048_576

export interface IndexLimits {
  /** What all indexes of this process may take together. */
  memoryMb: number
  /** Apps with fewer are counted by SQL. */
  fromInstallations: number
  /** Each has a replication slot, and PostgreSQL has ten. */
  indexes: number
  /** How long a question waits for what was just committed, before SQL is asked. */
  waitMs: number
  watchEveryMs: number
  /** A thread that says nothing for so long is ended. */
  silenceMs: number
  /** Nobody asked for so long: the index is closed. */
  idleMs: number
  /** Until it is looked again whether an app has become large. */
  lookAgainMs: number
  /** After an index ended; twice as long after each further time. */
  firstRetryMs: number
  tooLargeRetryMs: number
  /** How much log PostgreSQL may have to keep for an index that falls behind. */
  logMb: number
}

export const defaultIndexLimits: IndexLimits = {
  memoryMb: 1_024,
  fromInstallations: 100_000,
  indexes: 4,
  waitMs: 500,
  watchEveryMs: 10 * SECOND,
  silenceMs: MINUTE,
  idleMs: 60 * MINUTE,
  lookAgainMs: 10 * MINUTE,
  firstRetryMs: 5 * SECOND,
  tooLargeRetryMs: 60 * MINUTE,
  logMb: 2_048,
}

export interface IndexFigures {
  filling: number
  ready: number
  /** Of indexes that are ready. */
  installations: number
  bytes: number
  /** How much log there is that the last of them has not read, as of the last look. */
  behindBytes: number
  /** Indexes that ended unasked. */
  losses: number
}

interface Kept {
  index: SegmentIndex
  /** Of the log that it follows. */
  timeline: number
  openedMs: number
  askedMs: number
}

/**
 * The indexes of this process, one for each large app that somebody counts in:
 *
 *   asked, and large enough ──▶ filling (SQL answers) ──▶ ready ──nobody asks──▶ closed
 *                                  └───────────────┴──lost, killed, behind, too large──▶ closed; opened again after a while
 */
export class SegmentIndexes implements IndexSource {
  private readonly store: Store
  private readonly log: Logger
  private readonly limits: IndexLimits
  private readonly kept = new Map<number, Kept>()
  /** By app: not before, on the clock of the process. */
  private readonly lookAtMs = new Map<number, number>()
  private readonly failures = new Map<number, number>()
  /** Why the log cannot be followed, as the log was last told. */
  private obstacle: string | undefined
  private losses = 0
  private watching: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(store: Store, log: Logger, limits: Partial<IndexLimits> = {}) {
    this.store = store
    this.log = log
    this.limits = { ...defaultIndexLimits, ...limits }
  }

  async count(question: IndexQuestion): Promise<StepCounts | undefined> {
    return this.isReady(question.appId) ? this.ask('count', question) : undefined
  }

  async recent(question: IndexQuestion): Promise<number[] | undefined> {
    return this.isReady(question.appId) ? this.ask('recent', question) : undefined
  }

  async list(question: IndexQuestion, tx?: Transaction): Promise<ListedPart[] | undefined> {
    return this.find(question.appId)?.isReady ? this.ask('list', question, tx) : undefined
  }

  /** Exact, of a moment after the question; undefined where SQL has to be asked. */
  private async ask<Wanted extends keyof Answers>(
    wants: Wanted,
    { appId, conditions }: IndexQuestion,
    tx?: Transaction,
  ): Promise<Answers[Wanted] | undefined> {
    const log = tx ? await findLogPosition(tx) : await readLogPosition(this.store)
    if (!log) return undefined
    const { position, timeline } = log
    const kept = this.kept.get(appId)
    if (kept?.timeline === timeline) return kept.index.ask(wants, { position, conditions }, this.limits.waitMs)
    await kept?.index.close('another PostgreSQL is the primary')
    return undefined
  }

  figures(): IndexFigures {
    const all = [...this.kept.values()].map(({ index }) => index)
    const ready = all.filter(({ isReady }) => isReady)
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
    return {
      filling: all.length - ready.length,
      ready: ready.length,
      installations: sum(ready.map(({ status }) => status.installations)),
      bytes: sum(all.map(({ status }) => status.bytes)),
      behindBytes: Math.max(0, ...all.map(({ behindBytes }) => behindBytes)),
      losses: this.losses,
    }
  }

  /** Whoever asks keeps it open, or has it opened. */
  isReady(appId: number): boolean {
    const kept = this.kept.get(appId)
    if (!kept) {
      this.consider(appId)
      return false
    }
    kept.askedMs = performance.now()
    return kept.index.isReady
  }

  find(appId: number): SegmentIndex | undefined {
    return this.kept.get(appId)?.index
  }

  async close(): Promise<void> {
    this.isClosed = true
    clearInterval(this.watching)
    await Promise.all([...this.kept.values()].map(({ index }) => index.close()))
  }

  private consider(appId: number): void {
    const nowMs = performance.now()
    if (this.isClosed || this.limits.memoryMb === 0 || this.kept.size >= this.limits.indexes) return
    if ((this.lookAtMs.get(appId) ?? 0) > nowMs) return
    this.lookAtMs.set(appId, nowMs + this.limits.lookAgainMs)
    this.open(appId).catch((error: unknown) => {
      this.log.warn({ err: error, appId }, 'the index of segments cannot be opened; segments are counted by SQL')
    })
  }

  private async open(appId: number): Promise<void> {
    const { memoryMb, fromInstallations } = this.limits
    if (!(await hasInstallations(this.store, appId, fromInstallations))) return
    const obstacle = await findObstacle(this.store)
    this.tellObstacle(obstacle)
    if (obstacle !== undefined) return
    await preparePublication(this.store)
    // In this order: should another become the primary in between, the first question finds the index to be of the old one.
    const { timeline } = await readLogPosition(this.store)
    const address = await this.store.findAddress()
    if (this.isClosed || this.kept.has(appId)) return
    const index = new SegmentIndex({ address, appId, publication, mostBytes: memoryMb * MB - this.figures().bytes })
    const nowMs = performance.now()
    this.kept.set(appId, { index, timeline, openedMs: nowMs, askedMs: nowMs })
    this.watching ??= setInterval(() => void this.watch(), this.limits.watchEveryMs).unref()
    index.ready.then(() => {
      const { installations, bytes } = index.status
      const seconds = Math.round((performance.now() - nowMs) / SECOND)
      this.log.info(
        { appId, installations, megabytes: Math.round(bytes / MB), seconds },
        'the index of segments is filled',
      )
    })
    index.ended.then((end) => this.settleEnd(appId, index, end))
  }

  /** Once: nothing is wrong, and counts are right. */
  private tellObstacle(obstacle: string | undefined): void {
    if (obstacle !== undefined && obstacle !== this.obstacle)
      this.log.info(`segments of large apps are counted by SQL, not from memory: ${obstacle}`)
    this.obstacle = obstacle
  }

  private settleEnd(appId: number, index: SegmentIndex, { isTooLarge, reason }: IndexEnd): void {
    const kept = this.kept.get(appId)
    if (kept?.index !== index) return
    this.kept.delete(appId)
    if (this.isClosed) return
    this.losses++
    const lastedMs = performance.now() - kept.openedMs
    const failures = lastedMs > this.limits.lookAgainMs ? 1 : (this.failures.get(appId) ?? 0) + 1
    this.failures.set(appId, failures)
    const { firstRetryMs, lookAgainMs, tooLargeRetryMs } = this.limits
    const retryMs = isTooLarge ? tooLargeRetryMs : Math.min(firstRetryMs * 2 ** (failures - 1), lookAgainMs)
    this.lookAtMs.set(appId, performance.now() + retryMs)
    const hint = isTooLarge ? '; PEYK_SEGMENT_INDEX_MB sets how much memory it may take' : ''
    this.log.warn({ appId, reason }, `the index of segments ended; they are counted by SQL until it is back${hint}`)
  }

  /** Closes what nobody asks, and what falls so far behind that PostgreSQL keeps too much of its log for it. */
  private async watch(): Promise<void> {
    if (this.kept.size === 0) {
      clearInterval(this.watching)
      this.watching = undefined
      return
    }
    const { position } = (await readLogPosition(this.store).catch(() => undefined)) ?? {}
    for (const [appId, { index, askedMs }] of this.kept) {
      if (performance.now() - askedMs > this.limits.idleMs) {
        this.kept.delete(appId)
        this.lookAtMs.delete(appId)
        await index.close()
        continue
      }
      if (position !== undefined) index.behindBytes = index.status.position > 0 ? position - index.status.position : 0
      if (index.behindBytes > this.limits.logMb * MB) await index.close('it fell too far behind')
      else if (performance.now() - index.heardMs > this.limits.silenceMs)
        await index.close('it was silent for too long')
    }
  }
}
