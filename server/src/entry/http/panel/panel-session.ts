import type { BodyOf, panelChangePassword, panelSignIn, panelSignInByLink, Session } from '@peyk/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { realTime } from '#base/clock.ts'
import { RequestError } from '#base/errors.ts'
import { abilitiesOf } from '#features/accounts/members/abilities.ts'
import { listAppsOfMember } from '#features/accounts/members/list-apps-of-member.ts'
import { changePassword } from '#features/accounts/sessions/change-password.ts'
import { endSessions } from '#features/accounts/sessions/end-sessions.ts'
import { findSession, type MemberSession } from '#features/accounts/sessions/find-session.ts'
import { listSessions } from '#features/accounts/sessions/list-sessions.ts'
import type { NewSession } from '#features/accounts/sessions/open-session.ts'
import { mayChoosePassword } from '#features/accounts/sessions/session-rules.ts'
import { signIn } from '#features/accounts/sessions/sign-in.ts'
import { signInByLink } from '#features/accounts/sessions/sign-in-by-link.ts'
import type { SignInDelay } from '#features/accounts/sessions/sign-in-delay.ts'
import { signOut } from '#features/accounts/sessions/sign-out.ts'
import type { HttpServices } from '../http-services.ts'
import { clearSessionCookie, readSessionKey, setSessionCookie } from './panel-cookie.ts'

/** What the routes before an app is chosen are given. */
export interface Visit<Body = unknown> {
  services: HttpServices
  delay: SignInDelay
  request: FastifyRequest
  reply: FastifyReply
  body: Body
}

/** The same, once somebody is signed in. */
export interface MemberVisit<Body = unknown> extends Visit<Body> {
  session: MemberSession
}

export async function enterByPassword(visit: Visit<BodyOf<typeof panelSignIn>>): Promise<Session> {
  const { email, password } = visit.body
  return enter(visit, await signIn(visit.services, { email, password, ...whoAsks(visit) }, visit.delay))
}

export async function enterByLink(visit: Visit<BodyOf<typeof panelSignInByLink>>): Promise<Session> {
  return enter(visit, await signInByLink(visit.services, { key: visit.body.key, ...whoAsks(visit) }, visit.delay))
}

export async function showSession({ services, session }: MemberVisit): Promise<Session> {
  const apps = await listAppsOfMember(services, session)
  return {
    member: { email: session.email },
    apps: apps.map(({ label, name, role }) => ({
      ...{ appId: label, name, role, may: abilitiesOf(role) },
      hasPhones: services.external.phones?.appLabel === label,
    })),
    mode: services.config.mode,
    ...(services.config.publicUrl !== undefined && { publicUrl: services.config.publicUrl }),
    mayChoosePassword: mayChoosePassword(session, realTime(services.now)),
    needsPassword: apps.some(({ hasPassword }) => !hasPassword),
  }
}

/** Whoever is not signed in any more is told the same. */
export async function leave({ services, request, reply }: Visit): Promise<void> {
  const key = readSessionKey(request)
  if (key !== undefined) await signOut(services, { key })
  clearSessionCookie(request, reply)
}

export async function showSessions({ services, session }: MemberVisit) {
  return listSessions(services, session)
}

export async function leaveElsewhere({ services, session }: MemberVisit) {
  const { memberId, appIds, hash } = session
  return endSessions(services, { memberId, appIds, except: hash })
}

export async function replacePassword(visit: MemberVisit<BodyOf<typeof panelChangePassword>>): Promise<void> {
  const { services, session, body, delay, request } = visit
  const { current, next } = body
  await changePassword(services, { session, current, next, address: request.ip }, delay)
}

async function enter(visit: Visit, { key }: NewSession): Promise<Session> {
  const { services, request, reply } = visit
  const earlier = readSessionKey(request)
  if (earlier !== undefined) await signOut(services, { key: earlier })
  const session = await findSession(services, { key })
  if (!session) throw new RequestError('signed-out', 'The session has ended meanwhile. Sign in again.')
  setSessionCookie(request, reply, key)
  return showSession({ ...visit, session })
}

function whoAsks({ request }: Pick<Visit, 'request'>): { address: string; browser: string } {
  return { address: request.ip, browser: request.headers['user-agent'] ?? '' }
}
