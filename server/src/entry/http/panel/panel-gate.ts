import type { FastifyRequest } from 'fastify'
import { limits } from '#base/config.ts'
import { RequestError } from '#base/errors.ts'
import { checkAbility } from '#features/accounts/members/abilities.ts'
import { findSession, type MemberSession } from '#features/accounts/sessions/find-session.ts'
import { RateLimit } from '../gate/rate-limit.ts'
import type { HttpServices } from '../http-services.ts'
import { readSessionKey } from './panel-cookie.ts'
import type { OutwardMemberContext, PanelRoute } from './panel-route.ts'

/** What a request of the panel passes before its body is read: address limit, origin, session, membership, ability. */
export class PanelGate {
  private readonly services: HttpServices
  private readonly byAddress: RateLimit

  constructor(services: HttpServices) {
    this.services = services
    const { config, store, now } = services
    const tick = () => performance.now()
    const sharing = { store, now, name: 'panel' }
    this.byAddress = new RateLimit(config.addressRequestsPerWindow, limits.rateWindowMs, tick, sharing)
  }

  /** For everybody. */
  enter(request: FastifyRequest): void {
    if (this.byAddress.take(request.ip) < 0) {
      const seconds = this.byAddress.secondsLeft()
      throw new RequestError('too-many-requests', `Too many requests. Try again in ${seconds} s.`, {
        retryAfterSeconds: seconds,
      })
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') checkOwnOrigin(request)
  }

  async findSession(request: FastifyRequest, appLabel?: string): Promise<MemberSession | undefined> {
    const key = readSessionKey(request)
    return key === undefined ? undefined : findSession(this.services, { key, appLabel })
  }

  async getSession(request: FastifyRequest, appLabel?: string): Promise<MemberSession> {
    const session = await this.findSession(request, appLabel)
    if (session) return session
    throw new RequestError('signed-out', 'You are not signed in, or your session has ended. Sign in again.')
  }

  /** An app that the member does not belong to looks as if it were not there. */
  async admit(
    request: FastifyRequest,
    { ability, mayLag }: Pick<PanelRoute, 'ability' | 'mayLag'>,
  ): Promise<OutwardMemberContext> {
    const { app: appLabel } = request.params as { app: string }
    const { inApp, memberId: id, email } = await this.getSession(request, appLabel)
    if (!inApp) throw new RequestError('not-found', `There is no app "${appLabel.slice(0, 80)}".`)
    const { store, log, now, external } = this.services
    const member = { id, email, role: inApp.role }
    checkAbility({ member }, ability)
    return { app: inApp.app, member, store: (mayLag && store.reader) || store, log, now, begunAt: now(), external }
  }
}

/** A page of another site must not act in the name of whoever is signed in here. */
function checkOwnOrigin(request: FastifyRequest): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  const own = `${request.protocol}://${request.host}`
  if (origin === undefined ? site === 'same-origin' : origin === own) return
  const hint = origin?.replace(/^https:/, 'http:') === own ? ' Behind a proxy that does TLS, set PEYK_TRUST_PROXY.' : ''
  throw new RequestError(
    'wrong-origin',
    `Expected a request of the panel's own page at ${own.slice(0, 200)}, got one of ${(origin ?? 'no origin').slice(0, 200)}.${hint}`,
  )
}
