import { AsyncLocalStorage } from 'node:async_hooks'
import { RequestError } from '../errors.ts'
import type { Attributes, Span, SpanKind } from './span.ts'
import type { SpanContext } from './traceparent.ts'

/** Makes spans, and sends those that have ended. */
export interface Tracer {
  start(name: string, options: NewSpan): Span
}

export interface NewSpan {
  kind?: SpanKind
  /** Else it begins a trace. */
  parent?: SpanContext | undefined
  /** Of the trace that it begins; else one of chance. */
  traceId?: string | undefined
  attributes?: Attributes
}

/** Undefined unless the service traces: then everything here is this one question. */
let tracer: Tracer | undefined
const spans = new AsyncLocalStorage<Span | undefined>()

/** From here on this process traces. Answers how to end it. */
export function useTracer(used: Tracer): () => void {
  tracer = used
  return () => {
    tracer = undefined
  }
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** The span within which this runs, sampled or not. */
export function currentSpan(): Span | undefined {
  return tracer && spans.getStore()
}

/** A step of what is being traced; undefined when nothing is. */
export function startSpan(name: string, options?: Omit<NewSpan, 'parent' | 'traceId'>): Span | undefined {
  const parent = currentSpan()
  return parent?.isSampled ? tracer?.start(name, { ...options, parent }) : undefined
}

/** What is not a step of what runs here; undefined when it is not sampled. */
export function startApart(name: string, options: NewSpan): Span | undefined {
  const span = tracer?.start(name, options)
  return span?.isSampled ? span : undefined
}

/** What others asked for: it has ids also when it is not sampled. */
export function startEntry(name: string, options: NewSpan): Span | undefined {
  return tracer?.start(name, options)
}

export function runInSpan<T>(span: Span | undefined, work: () => T): T {
  return span ? spans.run(span, work) : work()
}

/** For what a traced request starts and that is not only its own. */
export function runOutsideSpans<T>(work: () => T): T {
  return tracer ? spans.run(undefined, work) : work()
}

/** Runs the work within the span, and ends it with the work. */
export function runAsSpan<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  return span ? endAfter(span, spans.run(span, work)) : work()
}

/** Ends the span when what it stands for is done. */
export async function endAfter<T>(span: Span, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    span.fail(error instanceof RequestError ? error.code : error instanceof Error ? error.name : 'error')
    throw error
  } finally {
    span.end()
  }
}

/** What log lines say of the span they belong to. */
export function logFieldsOf(span: Span | undefined): { trace_id?: string; span_id?: string } {
  return span ? { trace_id: span.traceId, span_id: span.spanId } : {}
}
