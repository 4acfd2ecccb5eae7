import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '#base/context.ts'
import { type LiveWanted, sampleLive } from '#features/statistics/overview/sample-live.ts'
import { LiveBoard, type LiveChange, type LiveReader } from './live-board.ts'

export interface LiveListener extends LiveReader {
  /** Nothing is sent while it still has to send the last. */
  isBusy(): boolean
  send(changes: readonly LiveChange[]): void
}

const everyMs = 1_000
/** A sample that takes long is not taken as often: it may use a fifth of the time. */
const restPerWork = 4
const restAfterFailureMs = 5_000
const watchedAtMost = 20
const othersAtMost = 20

/** Looks at one app once a second, for all who listen to it, and only while somebody does. */
export class LiveSampler {
  private readonly ctx: Context
  private readonly listeners = new Set<LiveListener>()
  private board = new LiveBoard()
  private underWay: string[] = []
  private known: NonNullable<LiveWanted['known']> = new Map()
  private isRunning = false
  private rest = new AbortController()

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  get isIdle(): boolean {
    return this.listeners.size === 0
  }

  add(listener: LiveListener): void {
    this.listeners.add(listener)
    this.rest.abort()
    if (!this.isRunning) void this.run()
  }

  remove(listener: LiveListener): void {
    this.listeners.delete(listener)
    if (this.isIdle) this.rest.abort()
  }

  private async run(): Promise<void> {
    this.isRunning = true
    this.board = new LiveBoard()
    while (!this.isIdle) {
      this.rest = new AbortController()
      const restMs = await this.look()
      await sleep(restMs, undefined, { signal: this.rest.signal }).catch(() => undefined)
    }
    this.isRunning = false
  }

  private async look(): Promise<number> {
    const startedAt = performance.now()
    try {
      const sample = await sampleLive(this.ctx, this.wanted())
      this.underWay = sample.messages.filter(({ progress }) => progress.waiting > 0).map(({ id }) => id)
      this.known = new Map(sample.watched.map((counts) => [counts.id, counts]))
      this.board.put(sample)
    } catch (error) {
      this.ctx.log.warn({ err: error, app: this.ctx.app.label }, 'the live stream could not be filled')
      return restAfterFailureMs
    }
    for (const listener of this.listeners) this.tell(listener)
    return Math.max(everyMs, restPerWork * (performance.now() - startedAt))
  }

  private tell(listener: LiveListener): void {
    if (listener.isBusy()) return
    const changes = this.board.changesFor(listener)
    listener.knows = this.board.latest
    if (changes.length > 0) listener.send(changes)
  }

  private wanted(): LiveWanted {
    const listeners = [...this.listeners]
    const watched = new Set(listeners.flatMap(({ messageId }) => messageId ?? []))
    return {
      messages: listeners.some(({ topics }) => topics.has('messages')),
      events: listeners.some(({ topics }) => topics.has('events')),
      alerts: listeners.some(({ topics }) => topics.has('alerts')),
      checklist: listeners.some(({ topics }) => topics.has('checklist')),
      // What was under way a moment ago is looked at once more when it is not: its end is told too.
      others: this.underWay.slice(0, othersAtMost),
      messageIds: [...watched].slice(0, watchedAtMost),
      known: this.known,
    }
  }
}
