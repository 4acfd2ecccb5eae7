import { onTestFinished } from 'vitest'
import { Span } from './span.ts'
import { newSpanId, newTraceId } from './span-ids.ts'
import { useTracer } from './tracing.ts'

/** Traces everything until the test is over, and answers the list of spans that have ended. */
export function traceHere({ isSampled = true } = {}): Span[] {
  const ended: Span[] = []
  const stop = useTracer({
    start(name, { kind = 'internal', parent, traceId, attributes }) {
      const context = { traceId: parent?.traceId ?? traceId ?? newTraceId(), spanId: newSpanId(), isSampled }
      const span = new Span({ name, kind, context, parentSpanId: parent?.spanId, startMs: 0 }, (each) => {
        each.endMs = 0
        ended.push(each)
      })
      if (attributes) span.set(attributes)
      return span
    },
  })
  onTestFinished(stop)
  return ended
}
