import type { updateDeviceToken } from '@peyk/contract'
import { askPage } from './ask-page.ts'
import { parse } from './message.ts'
import { clearMessage } from './notification/clear-message.ts'
import { type DrawnNotification, drawPush } from './notification/draw-notification.ts'
import {
  askBuildHook,
  askOpenHook,
  type BuildAnswer,
  type BuildHook,
  type NotifiedMessage,
  type OpenAnswer,
  type OpenHook,
} from './notification/hooks.ts'
import { type OpenedNotification, pageAddress, readOpening, receiptOf } from './notification/open-notification.ts'
import { showOnce } from './notification/show-once.ts'
import { Reporter } from './reporter.ts'
import { callService } from './rest.ts'
import { Database } from './store/database.ts'
import { claim } from './store/seen.ts'
import { changeState, readState } from './store/state.ts'
import { TabChannel } from './tab-channel.ts'
import type { PeykWorker, WorkerScope } from './worker-scope.ts'

/**
 * The service worker: shows pushes and reports what becomes of notifications, also when no page is open. The hooks of
 * the app are those that its own worker sets on `self.peyk`, otherwise those of an open page.
 */
const scope = self as unknown as WorkerScope
const appId = new URL(scope.location.href).searchParams.get('appId') ?? scope.PEYK_APP_ID ?? ''
const database = new Database(appId)
const reporter = new Reporter(database, appId)
const channel = new TabChannel(appId)
let buildHook: BuildHook | undefined
let openHook: OpenHook | undefined

const peyk: PeykWorker = {
  onBuildNotification: (hook) => {
    buildHook = hook
  },
  onNotificationOpen: (hook) => {
    openHook = hook
  },
}
scope.peyk = peyk

scope.addEventListener('push', (event) => event.waitUntil(takePush(event.data?.text() ?? '')))
scope.addEventListener('notificationclick', (event) =>
  event.waitUntil(settle(event.notification, 'click', event.action)),
)
scope.addEventListener('notificationclose', (event) => event.waitUntil(settle(event.notification, 'close', '')))
scope.addEventListener('pushsubscriptionchange', (event) => event.waitUntil(takeSubscription(event.newSubscription)))
scope.addEventListener('sync', (event) => event.waitUntil(Promise.all([reporter.flush(), tellSubscription()])))

async function takePush(text: string): Promise<void> {
  const push = parse(text)
  if (typeof push?.clear === 'string') return clear(push.clear)
  if (typeof push?.messageId !== 'string') return
  const { messageId, ...rest } = push
  const drawn = drawPush(push)
  if (drawn) await show(drawn, { ...rest, id: messageId as string })
  else await reporter.addReceipt({ actionType: 'DELIVERED', msgId: messageId as string, actionTs: Date.now() })
  await report()
}

async function clear(messageId: string): Promise<void> {
  await clearMessage(messageId, { appId, database, registration: scope.registration })
  channel.post({ kind: 'recall', messageId })
}

async function show(drawn: DrawnNotification, message: NotifiedMessage): Promise<void> {
  const shown = await showOnce(drawn, {
    appId,
    database,
    reporter,
    mayShow: () => true,
    build: async () => {
      if (buildHook) return askBuildHook(buildHook, drawn, message)
      const answer = await askPage<BuildAnswer>(channel, appId, { about: 'build', drawn, message })
      return answer ?? { isShownByApp: false }
    },
    show: ({ title, options }) => scope.registration.showNotification(title, options),
  })
  if (shown) channel.post({ kind: 'notification', shown })
}

async function settle(notification: Notification, kind: 'click' | 'close', actionId: string): Promise<void> {
  const opened = readOpening(notification, kind, actionId)
  if (!opened) return
  notification.close()
  if (!(await claim(database, 'settled', opened.messageId))) return
  await reporter.addReceipt(receiptOf(opened, Date.now()))
  await Promise.allSettled([report(), follow(opened)])
}

async function follow(opened: OpenedNotification): Promise<void> {
  const isPrevented = await askHook(opened)
  if (opened.kind !== 'dismissed' && !isPrevented) await openPage(opened.url)
}

async function askHook(action: OpenedNotification): Promise<boolean> {
  if (openHook) return (await askOpenHook(openHook, action)).isPrevented
  const answer = await askPage<OpenAnswer>(channel, appId, { about: 'open', action })
  // The page that opens now is told what it was opened by.
  if (!answer) {
    await changeState(database, 'opened', (before = []) => [...before, action].slice(-10)).catch(console.warn)
  }
  return answer?.isPrevented ?? false
}

/** An open page of that address is used again; without an address any page of the app. */
async function openPage(url: string | undefined): Promise<void> {
  const address = pageAddress(url, scope.registration.scope)
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const page = pages.find((client) =>
    address === undefined ? client.url.startsWith(scope.registration.scope) : client.url === address,
  )
  if (page) await page.focus()
  else await scope.clients.openWindow(address ?? scope.registration.scope)
}

/** The browser made the old subscription invalid. */
async function takeSubscription(given?: PushSubscription | null): Promise<void> {
  await changeState(database, 'webPush', (before) => before && { ...before, isStale: true })
  await tellSubscription(given).catch(tryLater)
}

/** Known only when it was told: until then the next page tells it, or we when there is a network. */
async function tellSubscription(given?: PushSubscription | null): Promise<void> {
  const kept = await readState(database, 'webPush')
  const service = await readState(database, 'service')
  const installation = await readState(database, 'installation')
  if (!kept?.isStale || !service || !installation) return
  const { publicKey } = kept
  const { pushManager } = scope.registration
  const subscription =
    given ??
    (await pushManager.getSubscription()) ??
    (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: publicKey }))
  const deviceToken = JSON.stringify(subscription)
  const { id: installationId, userId } = installation
  const body = { installationId, userId, deviceToken, deviceType: 'web', createdAt: Date.now() }
  await callService<typeof updateDeviceToken>(service, '/api/installations/updateDeviceToken', { body })
  await changeState(database, 'webPush', () => ({ publicKey, deviceToken }))
}

/** What cannot be sent now is sent by the next page, or when the browser says that there is a network. */
async function report(): Promise<void> {
  await reporter.flush().catch(tryLater)
}

async function tryLater(): Promise<void> {
  await scope.registration.sync?.register('peyk').catch(() => undefined)
}
