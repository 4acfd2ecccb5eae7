import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../base/config.ts'
import type { Context } from '../../base/context.ts'
import { hashBody, readKey, runOnce } from '../../base/idempotency.ts'
import { announceWork } from '../../base/wake.ts'
import { clientOfToken } from '../../features/accounts/client-of-token.ts'
import type { AccessToken } from '../../features/accounts/find-token.ts'
import { inputChecker } from './check-input.ts'
import type { OnRequest } from './gate.ts'
import type { Observer } from './observe.ts'
import { routeSchema } from './reference.ts'
import type { Route } from './route.ts'
import type { HttpServices } from './server.ts'

export interface RouteParts {
  services: HttpServices
  gate: (route: Route) => OnRequest
  observer: Observer
}

/** Puts a route behind the same steps as all others: the gate, the shape of its input, idempotency, its verb. */
export function addRoute(app: FastifyInstance, { services, gate, observer }: RouteParts, route: Route): void {
  const { store, log, now, outside } = services
  const check = inputChecker(route.endpoint)
  const onRequest = gate(route)
  const routeName = `${route.method} ${route.path}`
  const mayRepeat = (route.method === 'POST' || route.method === 'PUT') && !route.endpoint.file

  const run = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const token = request.token as AccessToken
    const ctx: Context = { app: token.app, store, now, log, outside }
    const client = clientOfToken(services, token)
    if (client) ctx.client = client
    const input = check(request, reply)
    // A dry run has no effect that a key could belong to, and must not take the key of the send itself.
    const isDryRun = (input as { query?: { dryRun?: boolean } }).query?.dryRun === true
    const key = mayRepeat && !isDryRun ? readKey(request.headers['idempotency-key'], request.body) : undefined
    if (key === undefined) return route.run(ctx, input)
    const once = { route: routeName, key, bodyHash: hashBody(JSON.stringify(request.params) + request.bodyText) }
    const { answer, isReplay } = await runOnce(ctx, once, (inner) => route.run(inner, input))
    announceWork(store)
    if (isReplay) reply.header('idempotency-replayed', 'true')
    return answer
  }

  app.route({
    method: route.method,
    url: route.path,
    schema: routeSchema(route),
    bodyLimit: route.endpoint.maxBodies === undefined ? limits.bodyBytes : limits.listBodyBytes,
    onRequest,
    handler: async (request, reply) => {
      const answer = (await run(request, reply)) ?? {}
      observer.observe(request, routeName, 200)
      return answer
    },
  })
  if (route.method !== 'GET') return
  // [choice 4] HEAD says whether GET would be let in, and does nothing.
  app.route({
    method: 'HEAD',
    url: route.path,
    schema: { hide: true } as object,
    onRequest,
    handler: (_request, reply) => reply.send(),
  })
}
