import { setTimeout as delay } from 'node:timers/promises'
import type { PoolAnswer } from '../http-client/pool.ts'
import type { Logger } from '../log.ts'
import { callOnce } from '../outbound/call-once.ts'
import { runAsService } from '../store/pool/connection-scope.ts'
import { writeOtlp } from './otlp-json.ts'
import type { AttributeValue, Span } from './span.ts'
import type { TraceSettings } from './trace-settings.ts'

export interface SpanCounts {
  exported: number
  /** There was no room for them, or no time left at the end. */
  dropped: number
  /** The collector did not take them. */
  failed: number
}

/** What became of one call: `again` may succeed later. */
export type Verdict =
  | { kind: 'taken'; rejected: number }
  | { kind: 'refused' | 'again'; detail: string; afterMs: number }

const spansPerCall = 512
const tries = 4
const firstWaitMs = 1_000
const longestWaitMs = 30_000
const repeated = new Set([429, 502, 503, 504])

/**
 * Sends spans to the collector, some seconds' worth at a time. Nobody waits for it: what finds no room is dropped and
 * counted.
 */
export class SpanExporter {
  readonly counts: SpanCounts = { exported: 0, dropped: 0, failed: 0 }
  private readonly settings: TraceSettings
  private readonly resource: readonly [string, AttributeValue][]
  private readonly log: Logger
  private readonly closing = new AbortController()
  private waiting: Span[] = []
  private timer: NodeJS.Timeout | undefined
  private sending: Promise<void> | undefined
  private isAway = false
  private deadlineMs = Number.POSITIVE_INFINITY

  constructor(settings: TraceSettings, resource: Readonly<Record<string, AttributeValue>>, log: Logger) {
    this.settings = settings
    this.resource = Object.entries(resource)
    this.log = log
  }

  get countWaiting(): number {
    return this.waiting.length
  }

  add(span: Span): void {
    if (this.waiting.length >= this.settings.maxWaiting || this.closing.signal.aborted) {
      this.counts.dropped++
      return
    }
    this.waiting.push(span)
    if (this.sending) return
    if (this.waiting.length >= spansPerCall) this.send()
    else this.timer ??= setTimeout(() => this.send(), this.settings.delayMs).unref()
  }

  /** Sends what waits, once each, and drops what is left by then. */
  async close(limitMs: number): Promise<void> {
    this.deadlineMs = performance.now() + limitMs
    this.closing.abort()
    await this.sending
    if (this.waiting.length > 0) await this.send()
    this.counts.dropped += this.waiting.splice(0).length
  }

  private send(): Promise<void> {
    clearTimeout(this.timer)
    this.timer = undefined
    this.sending ??= runAsService(() => this.sendAll()).finally(() => {
      this.sending = undefined
      if (this.waiting.length > 0 && !this.closing.signal.aborted)
        this.timer ??= setTimeout(() => this.send(), this.settings.delayMs).unref()
    })
    return this.sending
  }

  /** What is less than a whole call waits for its time, as before. */
  private async sendAll(): Promise<void> {
    do {
      await this.deliver(this.waiting.splice(0, spansPerCall))
    } while (
      this.waiting.length >= spansPerCall ||
      (this.closing.signal.aborted && this.waiting.length > 0 && performance.now() < this.deadlineMs)
    )
  }

  private async deliver(spans: readonly Span[]): Promise<void> {
    const body = JSON.stringify(writeOtlp(spans, this.resource))
    for (let tried = 1; ; tried++) {
      const verdict = readAnswer(await this.post(body))
      if (verdict.kind === 'taken') {
        this.counts.exported += spans.length - verdict.rejected
        this.counts.failed += verdict.rejected
        this.tellBack()
        return
      }
      const isLast = tried === tries || this.closing.signal.aborted
      if (verdict.kind === 'refused' || isLast) {
        this.counts.failed += spans.length
        this.tellAway(verdict.detail)
        return
      }
      const waitMs = Math.min(longestWaitMs, Math.max(verdict.afterMs, firstWaitMs * 2 ** (tried - 1)))
      await delay(waitMs, undefined, { ref: false, signal: this.closing.signal }).catch(() => undefined)
    }
  }

  private post(body: string): Promise<PoolAnswer> {
    return postSpans(this.settings, body, Math.max(1, this.deadlineMs - performance.now()))
  }

  /** Once until it answers again: a line for every call would be the greater harm. */
  private tellAway(detail: string): void {
    if (this.isAway) return
    this.isAway = true
    this.log.warn({ detail }, 'the collector does not take traces; they are lost until it does, all else goes on')
  }

  private tellBack(): void {
    if (this.isAway) this.log.info('the collector takes traces again')
    this.isAway = false
  }
}

/** One call. The address is the operator's own: it may be anywhere, and without TLS. */
export function postSpans(
  { url, headers, timeoutMs }: Pick<TraceSettings, 'url' | 'headers' | 'timeoutMs'>,
  body: string,
  limitMs = Number.POSITIVE_INFINITY,
): Promise<PoolAnswer> {
  return callOnce(url, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body,
    localOrigins: [new URL(url).origin],
    timeoutMs: Math.min(timeoutMs, limitMs),
  })
}

/** [OTLP] What may be asked again says so; all else is final. */
export function readAnswer(answer: PoolAnswer): Verdict {
  if (answer.kind !== 'answer') return { kind: 'again', detail: answer.detail, afterMs: 0 }
  const { status, headers, body } = answer
  if (status >= 200 && status < 300) return { kind: 'taken', rejected: readRejected(body) }
  const seconds = Number(headers['retry-after'])
  const afterMs = seconds > 0 ? seconds * 1_000 : 0
  return { kind: repeated.has(status) ? 'again' : 'refused', detail: `it answered with ${status}`, afterMs }
}

function readRejected(body: string): number {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: { rejectedSpans?: string | number } }
    return Math.max(0, Number(partialSuccess?.rejectedSpans) || 0)
  } catch {
    return 0
  }
}
