import type { webPushPublicKey } from '@peyk/contract'
import { callService, PeykError, type Service } from './rest.ts'
import type { Database } from './store/database.ts'
import { changeState, readState } from './store/state.ts'

/**
 * `enabled`: pushes arrive, also when no page is open. `denied`: the user said no, only the browser's settings can
 * change that. `not-decided`: the question was closed without an answer. `unsupported`: this browser, or this page, has
 * no web push. `not-configured`: the app has no key pair for web push. `failed`: see the reason.
 */
export type WebPushState = 'enabled' | 'denied' | 'not-decided' | 'unsupported' | 'not-configured' | 'failed'

export interface WebPushStatus {
  state: WebPushState
  reason?: string
}

export interface WebPushParts {
  database: Database
  service: Service
  /** Changes what the service knows of this installation. */
  tell(change: Record<string, unknown>): Promise<unknown>
  /** Registers the service worker, or finds it. */
  worker(): Promise<ServiceWorkerRegistration>
}

/** Asks the user, subscribes with the app's key, and tells the service, also of what went wrong. */
export async function enableWebPush(parts: WebPushParts): Promise<WebPushStatus> {
  const missing = missingPart()
  if (missing !== undefined) {
    await tryToTell(parts, { tokenStatus: `NOT_SUPPORTED:${missing}` })
    return { state: 'unsupported', reason: `This page has no ${missing}.` }
  }
  const permission = await Notification.requestPermission()
  if (permission === 'denied') {
    await tryToTell(parts, { tokenStatus: 'DENIED' })
    return { state: 'denied', reason: 'The user does not allow notifications of this site.' }
  }
  if (permission !== 'granted') return { state: 'not-decided', reason: 'The user has not answered.' }
  try {
    await subscribe(parts)
    return { state: 'enabled' }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof PeykError && error.status === 404) return { state: 'not-configured', reason }
    await tryToTell(parts, { tokenStatus: 'ERR', tokenErr: reason.slice(0, 200) })
    return { state: 'failed', reason }
  }
}

/** A browser may have given up the subscription, or the app changed its key: called at each start. */
export async function refreshWebPush(parts: WebPushParts): Promise<void> {
  const isWanted = (await readState(parts.database, 'webPush')) !== undefined
  if (isWanted && missingPart() === undefined && Notification.permission === 'granted') await subscribe(parts)
}

/** The service worker could not tell the service of a new subscription. */
export async function refreshStaleWebPush(parts: WebPushParts): Promise<void> {
  if ((await readState(parts.database, 'webPush'))?.isStale) await refreshWebPush(parts)
}

function missingPart(): string | undefined {
  if (!isSecureContext) return 'secure-context'
  if (!('serviceWorker' in navigator)) return 'service-worker'
  if (typeof Notification === 'undefined') return 'notifications'
  return 'PushManager' in window ? undefined : 'push-manager'
}

async function subscribe(parts: WebPushParts): Promise<void> {
  const { publicKey } = await callService<typeof webPushPublicKey>(parts.service, '/api/webPush/publicKey', {
    method: 'GET',
  })
  const { pushManager } = await parts.worker()
  const kept = await readState(parts.database, 'webPush')
  const existing = await pushManager.getSubscription()
  const isOurs = existing !== null && kept?.publicKey === publicKey
  // A subscription is tied to the key it was made with.
  if (existing && !isOurs) await existing.unsubscribe()
  const subscription = isOurs
    ? existing
    : await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey })
  const deviceToken = JSON.stringify(subscription)
  if (isOurs && kept?.deviceToken === deviceToken && !kept.isStale) return
  await parts.tell({ deviceToken, tokenStatus: 'ALLOWED' })
  await changeState(parts.database, 'webPush', () => ({ publicKey: String(publicKey), deviceToken }))
}

/** Without the service's knowledge it is as true for the app. */
async function tryToTell({ tell }: WebPushParts, change: Record<string, unknown>): Promise<void> {
  await tell(change).catch((error) => console.warn('Peyk: the service was not told of web push.', error))
}
