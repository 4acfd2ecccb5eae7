import type { FastifyRequest } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import type { Config } from '#base/config.ts'
import type { Logger } from '#base/log.ts'
import { redactTokens } from '#base/secrets/redact-tokens.ts'
import { logFieldsOf } from '#base/trace/tracing.ts'
import { endRequestSpan } from './request-span.ts'

/** Gauges named like counters: promtool objects to them, and the series by type have the same numbers. */
const misnamed = ['nodejs_active_resources_total', 'nodejs_active_handles_total', 'nodejs_active_requests_total']

/** Counts and logs what was answered. Called with the answer, not by a hook after it: that costs a tenth of a request. */
export class Observer {
  readonly registry = new Registry()
  private readonly log: Logger
  private readonly level: 'info' | 'debug'
  private readonly durations: Histogram<'route' | 'status'>
  private readonly children = new Map<string, Map<number, Histogram.Internal<'route' | 'status'>>>()

  constructor(config: Pick<Config, 'mode'>, log: Logger) {
    this.log = log
    this.level = config.mode === 'development' ? 'info' : 'debug'
    collectDefaultMetrics({ register: this.registry })
    for (const name of misnamed) this.registry.removeSingleMetric(name)
    this.durations = new Histogram({
      name: 'peyk_http_request_seconds',
      help: 'How long requests took, by route and status.',
      labelNames: ['route', 'status'],
      buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
      registers: [this.registry],
    })
  }

  observe(request: FastifyRequest, route: string, status: number): void {
    const now = performance.now()
    const seconds = (now - (request.startedAt || now)) / 1000
    this.childOf(route, status).observe(seconds)
    const { span } = request
    if (span) endRequestSpan(span, { route, status, appLabel: appOf(request) })
    const level = status >= 500 ? 'warn' : isSimulated(request) ? 'debug' : this.level
    if (!this.log.isLevelEnabled(level)) return
    const path = redactTokens(request.url.split('?', 1)[0] as string)
    const ms = Math.round(seconds * 10_000) / 10
    const fields = { requestId: request.id, app: appOf(request) }
    this.log[level](
      span ? { ...fields, ...logFieldsOf(span) } : fields,
      `${request.method} ${path} ${status} in ${ms} ms`,
    )
  }

  private childOf(route: string, status: number): Histogram.Internal<'route' | 'status'> {
    let ofRoute = this.children.get(route)
    if (!ofRoute) {
      ofRoute = new Map()
      this.children.set(route, ofRoute)
    }
    let child = ofRoute.get(status)
    if (!child) {
      child = this.durations.labels(route, String(status))
      ofRoute.set(status, child)
    }
    return child
  }
}

function appOf({ token, asMember }: FastifyRequest): string | undefined {
  return (token ?? asMember)?.app.label
}

/** What the simulated phones and users of the demo do all the time would bury everything else. */
function isSimulated({ headers }: FastifyRequest): boolean {
  return headers['user-agent'] === 'peyk-simulator'
}
