import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { AccessToken } from '#features/accounts/access-tokens/find-token.ts'
import { touchToken } from '#features/accounts/access-tokens/touch-token.ts'
import type { HttpServices } from '../http-services.ts'
import type { Route } from '../route.ts'
import { Authenticator, checkHost, checkOrigin, checkScope, readToken } from './authenticate.ts'
import { RateLimit } from './rate-limit.ts'

export type OnRequest = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void

/** What a request passes before its body is read: address limit, token, host, scope, origin, token limit. */
export function createGate({ config, store, log, now }: HttpServices): (route: Route) => OnRequest {
  const tick = () => performance.now()
  const authenticator = new Authenticator(store, tick)
  const limit = (name: string, most: number) => new RateLimit(most, limits.rateWindowMs, tick, { store, now, name })
  const byToken = limit('token', config.tokenRequestsPerWindow)
  const byAddress = limit('address', config.addressRequestsPerWindow)
  const failures = limit('failed-tokens', config.failedTokensPerWindow)

  return (route) => {
    const admit = (request: FastifyRequest, reply: FastifyReply, token: AccessToken) => {
      checkHost(token, request.headers.host, config.baseHost)
      checkScope(token, route)
      checkOrigin(token, request.headers.origin)
      const left = byToken.take(token.tokenId)
      reply.header('ratelimit-limit', byToken.limit)
      reply.header('ratelimit-remaining', Math.max(0, left))
      reply.header('ratelimit-reset', byToken.secondsLeft())
      if (left < 0) throw tooMany(byToken)
      request.token = token
    }

    return (request, reply, done) => {
      const refuse = (error: unknown) => {
        const isUnknown = error instanceof RequestError && error.status === 401
        if (isUnknown && failures.take(request.ip) < 0) done(tooMany(failures))
        else done(error as Error)
      }
      try {
        if (byAddress.take(request.ip) < 0) throw tooMany(byAddress)
        const found = authenticator.find(readToken(request))
        if (!(found instanceof Promise)) {
          admit(request, reply, found)
          done()
          return
        }
        found
          .then((token) => {
            admit(request, reply, token)
            touchToken(store, token, now()).catch((error) =>
              log.warn({ err: error }, 'the last use of a token was not noted'),
            )
          })
          .then(() => done(), refuse)
      } catch (error) {
        refuse(error)
      }
    }
  }
}

function tooMany(limit: RateLimit): RequestError {
  const seconds = limit.secondsLeft()
  return new RequestError(
    'too-many-requests',
    `More than ${limit.limit} requests in ${limits.rateWindowMs / 1000} s. Try again in ${seconds} s.`,
    { retryAfterSeconds: seconds },
  )
}
