import type { Span } from '#base/trace/span.ts'
import type { SpanContext } from '#base/trace/traceparent.ts'
import { currentSpan, type NewSpan, startApart } from '#base/trace/tracing.ts'

const mostRemembered = 10_000
const mostNamed = 100
const requests = new Map<string, SpanContext>()

/** These were accepted by the request that is being traced: what becomes of them here belongs to its trace. */
export function traceAccepted(accepted: readonly { id: string }[]): void {
  const request = currentSpan()
  if (!request) return
  const { traceId, spanId, isSampled } = request
  for (const { id } of accepted) requests.set(id, { traceId, spanId, isSampled })
  for (const id of requests.keys()) {
    if (requests.size <= mostRemembered) break
    requests.delete(id)
  }
  const ids = accepted.slice(0, mostNamed).map(({ id }) => id)
  request.set(ids.length === 1 ? { 'peyk.message_id': ids[0] } : { 'peyk.message_ids': ids })
}

/**
 * A step of what becomes of a message. Where its request is not known, in another process or after a while, the trace has
 * the id of the message, so that all processes choose the same one, and sample it or not [ADR-0246].
 */
export function startMessageSpan(name: string, messageId: string, options: Omit<NewSpan, 'parent'>): Span | undefined {
  const parent = requests.get(messageId)
  if (parent?.isSampled === false) return undefined
  const attributes = { ...options.attributes, 'peyk.message_id': messageId }
  return startApart(name, { ...options, parent, traceId: messageId.replaceAll('-', ''), attributes })
}
