import type { FastifyRequest } from 'fastify'
import { type Config, limits } from '../../../base/config.ts'
import { RequestError } from '../../../base/errors.ts'
import { RateLimit } from './rate-limit.ts'

/** For what is served without a token: refuses an address that has asked too often. */
export function limitByAddress(config: Pick<Config, 'addressRequestsPerWindow'>): (request: FastifyRequest) => void {
  const byAddress = new RateLimit(config.addressRequestsPerWindow, limits.rateWindowMs, () => performance.now())
  return ({ ip }) => {
    if (byAddress.take(ip) >= 0) return
    const seconds = byAddress.secondsLeft()
    throw new RequestError('too-many-requests', `Too many requests. Try again in ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
  }
}
