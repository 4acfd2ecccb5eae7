import type { AttributeValue, Span, SpanKind } from './span.ts'

const kinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const errorStatus = { code: 2 }

/** [OTLP 1.x, JSON] The body of a request to `/v1/traces`. */
export function writeOtlp(spans: readonly Span[], resource: Iterable<[string, AttributeValue]>) {
  return {
    resourceSpans: [
      {
        resource: { attributes: writeAttributes(resource) },
        scopeSpans: [{ scope: { name: 'peyk' }, spans: spans.map(writeSpan) }],
      },
    ],
  }
}

function writeSpan(span: Span) {
  const { traceId, spanId, parentSpanId, name, kind, startMs, endMs, attributes, links, hasFailed } = span
  return {
    traceId,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name,
    kind: kinds[kind],
    startTimeUnixNano: nanoseconds(startMs),
    endTimeUnixNano: nanoseconds(endMs ?? startMs),
    attributes: writeAttributes(attributes),
    ...(links.length > 0 && { links: links.map((link) => ({ traceId: link.traceId, spanId: link.spanId })) }),
    ...(hasFailed && { status: errorStatus }),
  }
}

/** More digits than a number has. */
function nanoseconds(ms: number): string {
  const whole = Math.floor(ms)
  return `${whole}${String(Math.floor((ms - whole) * 1e6)).padStart(6, '0')}`
}

function writeAttributes(attributes: Iterable<[string, AttributeValue]>) {
  return Array.from(attributes, ([key, value]) => ({ key, value: writeValue(value) }))
}

function writeValue(value: AttributeValue) {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  if (typeof value === 'object') return { arrayValue: { values: value.map((stringValue) => ({ stringValue })) } }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}
