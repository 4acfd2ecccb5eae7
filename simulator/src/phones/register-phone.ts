import { callService, type Service, type ServiceAnswer } from './call-service.ts'
import type { PhoneState } from './phone-state.ts'
import { deviceOf } from './platform.ts'
import type { StepResult } from './retry-loop.ts'
import type { Subscriber } from './subscriber.ts'

export interface RegistrationFault {
  /** It will not be taken, however often it is tried. */
  isFinal: boolean
  detail: string
}

interface Registering {
  subscriber: Subscriber
  signal: AbortSignal
  onSubscribed(): void
  /** The service did not take the phone. */
  onFault(fault: RegistrationFault): void
}

/**
 * Gets a token where there is none and could be one, and tells the service of the phone. A browser needs the app's public key for that:
 * without one it registers all the same, and asks again later. One that may not show notifications cannot subscribe.
 */
export async function registerPhone(
  state: PhoneState,
  service: Service,
  { subscriber, signal, onSubscribed, onFault }: Registering,
): Promise<StepResult> {
  const { installNo, platform, provider } = state
  const mayNotSubscribe = platform === 'web' && state.permission === 'denied'
  if (platform === 'web' && !mayNotSubscribe) {
    const key = await findVapidKey(service, signal, onFault)
    if (state.installNo !== installNo) return 'again'
    if (key === undefined) return 'later'
    if (key !== state.vapidKey) {
      if (state.address !== null) subscriber.end(platform, state.address)
      Object.assign(state, { deviceToken: null, address: null, vapidKey: key })
    }
  }
  const lacksKey = platform === 'web' && !mayNotSubscribe && state.vapidKey === null
  if (state.deviceToken === null && provider !== 'none' && !lacksKey && !mayNotSubscribe) {
    const subscription = await subscriber.begin(platform, state.vapidKey)
    if (state.installNo !== installNo || !state.installed) {
      subscriber.end(platform, subscription.address)
      return 'again'
    }
    Object.assign(state, subscription)
    // Before the service knows the token: its first push may be faster than its answer.
    onSubscribed()
  }
  if (lacksKey && state.installationId !== null) return 'later'
  const { installationId, launchCount } = state
  const answer =
    installationId === null
      ? await callService(service, 'POST', '/api/installations', describePhone(state), signal)
      : await callService(service, 'PUT', `/api/installations/${installationId}`, describePhone(state), signal)
  if (state.installNo !== installNo) return 'again'
  if (answer.kind === 'not-found') {
    state.installationId = null
    if (installationId === null) onFault({ isFinal: false, detail: 'it does not know the path /api/installations' })
    return installationId === null ? 'later' : 'again'
  }
  if (answer.kind !== 'done') {
    onFault(faultOf(answer))
    return 'later'
  }
  state.installationId = String(answer.body.id)
  state.appId = String(answer.body.appId)
  if (lacksKey) return 'later'
  state.isRegistered = state.launchCount === launchCount
  return 'again'
}

function describePhone(state: PhoneState): Record<string, unknown> {
  const { platform, userId, isGuest = false, installationId, deviceToken, launchCount, launchedAt, installedAt } = state
  const { details = deviceOf(state).details, subscriptions = ['default'] } = state
  return {
    deviceType: platform,
    ...details,
    userId,
    isGuest,
    tokenStatus: tokenStatusOf(state),
    ...(deviceToken !== null && { deviceToken }),
    launchCount,
    launchTime: launchedAt,
    ...(installationId === null && { installDate: installedAt, newInstall: true, subscriptions }),
  }
}

function tokenStatusOf({ permission, provider }: PhoneState): string {
  if (permission === 'denied') return 'DENIED'
  return provider === 'none' ? 'NOT_SUPPORTED:no push provider on this phone' : 'ALLOWED'
}

/** Null: the app has none. Undefined: the service did not say. */
async function findVapidKey(
  service: Service,
  signal: AbortSignal,
  onFault: Registering['onFault'],
): Promise<string | null | undefined> {
  const answer = await callService(service, 'GET', '/api/webPush/publicKey', undefined, signal)
  if (answer.kind === 'not-found') return null
  if (answer.kind === 'done' && typeof answer.body.publicKey === 'string') return answer.body.publicKey
  onFault(answer.kind === 'done' ? { isFinal: false, detail: 'it gives no public key' } : faultOf(answer))
  return undefined
}

function faultOf({ kind, detail }: Extract<ServiceAnswer, { detail: string }>): RegistrationFault {
  return { isFinal: kind === 'refused', detail }
}
