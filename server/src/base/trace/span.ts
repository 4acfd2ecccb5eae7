import type { SpanContext } from './traceparent.ts'

export type AttributeValue = string | number | boolean | readonly string[]
export type Attributes = Readonly<Record<string, AttributeValue | undefined>>
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'

export interface SpanStart {
  name: string
  kind: SpanKind
  context: SpanContext
  parentSpanId: string | undefined
  /** Since 1970, with fractions. */
  startMs: number
}

/** As many as OpenTelemetry's own libraries keep. */
const mostLinks = 128
/** Of spans that keep nothing. */
const noAttributes = new Map<string, AttributeValue>()
const noLinks: SpanContext[] = []

/** One step of a trace, from its start to its end. One that is not sampled has its ids for the log, and keeps nothing else. */
export class Span implements SpanContext {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
  readonly parentSpanId: string | undefined
  readonly kind: SpanKind
  readonly startMs: number
  name: string
  endMs: number | undefined
  hasFailed = false
  readonly attributes: Map<string, AttributeValue>
  readonly links: SpanContext[]
  private readonly onEnd: (span: Span) => void

  constructor({ name, kind, context, parentSpanId, startMs }: SpanStart, onEnd: (span: Span) => void) {
    this.name = name
    this.kind = kind
    this.traceId = context.traceId
    this.spanId = context.spanId
    this.isSampled = context.isSampled
    this.parentSpanId = parentSpanId
    this.startMs = startMs
    this.attributes = context.isSampled ? new Map() : noAttributes
    this.links = context.isSampled ? [] : noLinks
    this.onEnd = onEnd
  }

  /** What is undefined is left out. Never a token, a text, an address of somebody or what a user is called. */
  set(attributes: Attributes): void {
    if (!this.isSampled) return
    for (const name in attributes) {
      const value = attributes[name]
      if (value !== undefined) this.attributes.set(name, value)
    }
  }

  link(other: SpanContext): void {
    if (this.isSampled && this.links.length < mostLinks) this.links.push(other)
  }

  /** `type` is one of few words: a code, or the name of a class. */
  fail(type: string): void {
    this.hasFailed = true
    this.set({ 'error.type': type })
  }

  end(): void {
    if (this.endMs === undefined && this.isSampled) this.onEnd(this)
  }
}
