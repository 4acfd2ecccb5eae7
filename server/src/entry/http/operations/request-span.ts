import type { FastifyRequest } from 'fastify'
import type { Span } from '#base/trace/span.ts'
import { readTraceparent } from '#base/trace/traceparent.ts'
import { startEntry } from '#base/trace/tracing.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** While the service traces. */
    span: Span | undefined
  }
}

/**
 * A step of the caller's trace, if it has one. The path itself and the caller's address are left out: there are users in
 * them, and tokens.
 */
export function startRequestSpan(request: FastifyRequest): Span | undefined {
  const { method, id, protocol, headers } = request
  return startEntry(method, {
    kind: 'server',
    parent: readTraceparent(headers.traceparent),
    attributes: {
      'http.request.method': method,
      'url.scheme': protocol,
      'network.protocol.version': request.raw.httpVersion,
      'peyk.request_id': id,
    },
  })
}

/** [OpenTelemetry] What the caller did wrong is not an error of ours. */
export function endRequestSpan(
  span: Span,
  { route, status, appLabel }: { route: string; status: number; appLabel: string | undefined },
): void {
  const path = route.slice(route.indexOf(' ') + 1)
  if (path.startsWith('/')) {
    span.name = route
    span.set({ 'http.route': path })
  }
  span.set({ 'http.response.status_code': status, 'peyk.app_id': appLabel })
  if (status >= 500) span.fail(String(status))
  span.end()
}
