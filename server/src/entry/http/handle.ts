import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '../../base/config.ts'
import type { Context } from '../../base/context.ts'
import { RequestError } from '../../base/errors.ts'
import { hashBody, readKey, runOnce } from '../../base/idempotency.ts'
import type { AccessToken } from '../../features/accounts/find-token.ts'
import { touchToken } from '../../features/accounts/touch-token.ts'
import { Authenticator, checkHost, checkOrigin, checkScope, readToken } from './authenticate.ts'
import { inputChecker } from './check-input.ts'
import { RateLimit } from './rate-limit.ts'
import { routeSchema } from './reference.ts'
import type { Route } from './route.ts'
import type { HttpServices } from './server.ts'

/** Puts each route behind the same steps: address limit, token, host, scope, token limit, shape, idempotency, verb. */
export function addRoutes(app: FastifyInstance, services: HttpServices, routes: readonly Route[]): void {
  const { config, store, log, now } = services
  const tick = () => performance.now()
  const authenticator = new Authenticator(store, tick)
  const byToken = new RateLimit(config.tokenRequestsPerWindow, limits.rateWindowMs, tick)
  const byAddress = new RateLimit(config.addressRequestsPerWindow, limits.rateWindowMs, tick)
  const failures = new RateLimit(config.failedTokensPerWindow, limits.rateWindowMs, tick)

  for (const route of routes) {
    const check = inputChecker(route.endpoint)
    const routeName = `${route.method} ${route.path}`
    const mayRepeat = route.method === 'POST' || route.method === 'PUT'
    const isList = route.endpoint.maxBodies !== undefined

    const admit = (request: FastifyRequest, reply: FastifyReply, token: AccessToken) => {
      checkHost(token, request.headers.host, config.baseHost)
      checkScope(token, route)
      checkOrigin(token, request.headers.origin)
      spend(byToken, token.tokenId, reply, true)
      request.token = token
    }

    const onRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => {
      const refused = (error: unknown) => {
        const isUnknown = error instanceof RequestError && error.status === 401
        if (isUnknown && failures.take(request.ip) < 0) done(tooMany(failures))
        else done(error as Error)
      }
      try {
        spend(byAddress, request.ip, reply, false)
        const found = authenticator.find(readToken(request))
        if (!(found instanceof Promise)) {
          admit(request, reply, found)
          return done()
        }
        found
          .then((token) => {
            admit(request, reply, token)
            touchToken(store, token, now()).catch((error) =>
              log.warn({ err: error }, 'the last use of a token was not noted'),
            )
          })
          .then(() => done(), refused)
      } catch (error) {
        refused(error)
      }
    }

    const handler = async (request: FastifyRequest, reply: FastifyReply) => {
      const { app: appIdentity, scopes, identitySecret } = request.token as AccessToken
      const ctx: Context = { app: appIdentity, store, now, log }
      if (scopes.length === 1 && scopes[0] === 'client') ctx.client = { identitySecret }
      const input = check(request, reply)
      const key =
        mayRepeat && !route.endpoint.file ? readKey(request.headers['idempotency-key'], request.body) : undefined
      if (key === undefined) return (await route.run(ctx, input)) ?? {}
      const once = { route: routeName, key, bodyHash: hashBody(request.bodyText) }
      const { answer, isReplay } = await runOnce(ctx, once, (inner) => route.run(inner, input))
      if (isReplay) reply.header('idempotency-replayed', 'true')
      return answer ?? {}
    }

    const schema = routeSchema(route)
    app.route({
      method: route.method,
      url: route.path,
      schema,
      onRequest,
      handler,
      bodyLimit: isList ? limits.listBodyBytes : limits.bodyBytes,
    })
    if (route.method === 'GET') {
      // [choice 4] HEAD says whether GET would be let in, and does nothing.
      app.route({
        method: 'HEAD',
        url: route.path,
        schema: { hide: true } as object,
        onRequest,
        handler: (_request, reply) => reply.send(),
      })
    }
  }
}

function spend(limit: RateLimit, key: string, reply: FastifyReply, isShown: boolean): void {
  const left = limit.take(key)
  if (isShown || left < 0) {
    reply.header('ratelimit-limit', limit.limit)
    reply.header('ratelimit-remaining', Math.max(0, left))
    reply.header('ratelimit-reset', limit.secondsLeft())
  }
  if (left < 0) throw tooMany(limit)
}

function tooMany(limit: RateLimit): RequestError {
  const seconds = limit.secondsLeft()
  return new RequestError(
    'too-many-requests',
    `More than ${limit.limit} requests in ${limits.rateWindowMs / 1000} s. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )
}
