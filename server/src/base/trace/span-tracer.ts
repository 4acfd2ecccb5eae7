import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { realTime } from '../clock.ts'
import type { Logger } from '../log.ts'
import { decideSampling } from './decide-sampling.ts'
import { Span } from './span.ts'
import { type SpanCounts, SpanExporter } from './span-exporter.ts'
import { newSpanId, newTraceId } from './span-ids.ts'
import type { TraceSettings } from './trace-settings.ts'
import type { NewSpan, Tracer } from './tracing.ts'

interface Given {
  log: Logger
  now(): Date
  version: string
}

/** From here on the clock was set, or was measured anew. */
const driftMs = 100
const lookEveryMs = 5_000

/** Loaded only where the service traces. */
export class SpanTracer implements Tracer {
  private readonly settings: TraceSettings
  private readonly exporter: SpanExporter
  private readonly now: () => Date
  /** What `performance.now()` has to be added to, so that spans have fractions of milliseconds and never run backwards. */
  private offsetMs: number
  private lookedAtMs: number

  constructor(settings: TraceSettings, { log, now, version }: Given) {
    this.settings = settings
    this.now = () => realTime(now)
    this.lookedAtMs = performance.now()
    this.offsetMs = this.now().getTime() - this.lookedAtMs
    const resource = {
      'service.version': version,
      'service.instance.id': randomUUID(),
      'host.name': hostname(),
      'process.pid': process.pid,
      ...settings.resource,
      'telemetry.sdk.name': 'peyk',
      'telemetry.sdk.language': 'nodejs',
      'telemetry.sdk.version': version,
    }
    this.exporter = new SpanExporter(settings, resource, log)
  }

  start(name: string, { kind = 'internal', parent, traceId, attributes }: NewSpan): Span {
    const id = parent?.traceId ?? traceId ?? newTraceId()
    const isSampled = parent instanceof Span ? parent.isSampled : decideSampling(this.settings.sampler, id, parent)
    const context = { traceId: id, spanId: newSpanId(), isSampled }
    const startMs = isSampled ? this.time() : 0
    const span = new Span({ name, kind, context, parentSpanId: parent?.spanId, startMs }, this.take)
    if (attributes) span.set(attributes)
    return span
  }

  get counts(): SpanCounts {
    return this.exporter.counts
  }

  get countWaiting(): number {
    return this.exporter.countWaiting
  }

  close(limitMs: number): Promise<void> {
    return this.exporter.close(limitMs)
  }

  private readonly take = (span: Span): void => {
    span.endMs = Math.max(span.startMs, this.time())
    this.exporter.add(span)
  }

  private time(): number {
    const nowMs = performance.now()
    if (nowMs - this.lookedAtMs > lookEveryMs) {
      this.lookedAtMs = nowMs
      const offsetMs = this.now().getTime() - nowMs
      if (Math.abs(offsetMs - this.offsetMs) > driftMs) this.offsetMs = offsetMs
    }
    return this.offsetMs + nowMs
  }
}
