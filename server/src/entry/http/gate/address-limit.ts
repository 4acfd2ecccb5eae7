import type { FastifyRequest } from 'fastify'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { HttpServices } from '../http-services.ts'
import { RateLimit } from './rate-limit.ts'

/** For what is served without a token: refuses an address that has asked for things of this name too often. */
export function limitByAddress(
  { config, store, now }: Pick<HttpServices, 'config' | 'store' | 'now'>,
  name: string,
): (request: FastifyRequest) => void {
  const { addressRequestsPerWindow: most } = config
  const byAddress = new RateLimit(most, limits.rateWindowMs, () => performance.now(), { store, now, name })
  return ({ ip }) => {
    if (byAddress.take(ip) >= 0) return
    const seconds = byAddress.secondsLeft()
    throw new RequestError('too-many-requests', `Too many requests. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
  }
}
