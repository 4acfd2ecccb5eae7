import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client'
import { RequestError } from '../../base/errors.ts'
import { ping } from '../../base/store/ping.ts'
import type { HttpServices } from './server.ts'

/** /health: the process answers. /ready: the store does too. /metrics: for Prometheus [choice 48]. Also the request log. */
export function addOperations(app: FastifyInstance, { config, store, log }: HttpServices): void {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const durations = new Histogram({
    name: 'peyk_http_request_seconds',
    help: 'How long requests took, by route and status.',
    labelNames: ['route', 'status'],
    buckets: [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30],
    registers: [registry],
  })
  const children = new Map<string, { observe(seconds: number): void }>()
  const logLevel = config.mode === 'development' ? 'info' : 'debug'

  app.addHook('onResponse', (request, reply, done) => {
    const seconds = (performance.now() - request.startedAt) / 1000
    const route = `${request.method} ${request.routeOptions.url ?? 'unknown'}`
    const name = `${route} ${reply.statusCode}`
    let child = children.get(name)
    if (!child) {
      child = durations.labels(route, String(reply.statusCode))
      children.set(name, child)
    }
    child.observe(seconds)
    const level = reply.statusCode >= 500 ? 'warn' : logLevel
    if (log.isLevelEnabled(level)) {
      const path = request.url.split('?', 1)[0]
      const ms = Math.round(seconds * 10_000) / 10
      log[level](
        {
          requestId: request.id,
          method: request.method,
          path,
          status: reply.statusCode,
          ms,
          app: request.token?.app.label,
        },
        'request',
      )
    }
    done()
  })

  const hidden = { schema: { hide: true } as object }
  app.get('/health', hidden, async () => ({ status: 'ok' }))
  app.get('/ready', hidden, async () => {
    await ping(store)
    return { status: 'ready' }
  })
  app.get('/metrics', hidden, async (request, reply) => {
    const isLoopback = /^(127\.|::1$|::ffff:127\.)/.test(request.ip)
    const given =
      /^bearer (.+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? (request.query as { token?: string }).token
    if (!isLoopback && (config.metricsToken === undefined || given !== config.metricsToken)) {
      throw new RequestError(
        'no-token',
        'Metrics are open on loopback only; elsewhere send PEYK_METRICS_TOKEN as a bearer token.',
      )
    }
    return reply.type(registry.contentType).send(await registry.metrics())
  })
}
