import { type Config, limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import type { HttpServices } from '../http-services.ts'
import { addressGroup } from './address-group.ts'
import { RateLimit } from './rate-limit.ts'

const MINUTE = 60_000

/** [ADR-0110] How many new installations one address may make with one client key: the key is public. */
export class RegistrationLimit {
  private readonly rate: RateLimit
  private readonly isForAll: boolean

  constructor(
    config: Pick<Config, 'registrationsPerWindow' | 'limitsOwnRegistrations' | 'mode'>,
    now: () => number,
    service?: Pick<HttpServices, 'store' | 'now'>,
  ) {
    const sharing = service && { ...service, name: 'registrations' }
    this.rate = new RateLimit(config.registrationsPerWindow, limits.registrationWindowMs, now, sharing)
    this.isForAll = config.limitsOwnRegistrations || config.mode === 'production'
  }

  /**
   * Counts one registration, or throws. Programs on this machine are exempt only in development and only while no limit
   * is set: a proxy that sets no header looks like one of them.
   */
  take({ address, isOwn }: { address: string; isOwn: boolean }, tokenId: string): void {
    if (!this.isForAll && isOwn) return
    if (this.rate.take(`${addressGroup(address)} ${tokenId}`) >= 0) return
    const seconds = this.rate.secondsLeft()
    throw new RequestError(
      'too-many-requests',
      `More than ${this.rate.limit} new installations from one address in ${limits.registrationWindowMs / MINUTE} minutes. Try again in ${seconds} s.`,
      { retryAfterSeconds: seconds },
    )
  }
}
