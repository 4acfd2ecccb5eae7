import type {
  AnswerOf,
  addTags,
  addValueTag,
  changeOwnPreferences,
  getInstallation,
  getOwnPreferences,
  incrementAttribute,
  Preferences,
  PreferencesChange,
  userInfo,
} from '@peyk/contract'
import type { ConnectionStatus } from './connection.ts'
import { version } from './describe-browser.ts'
import type { Message } from './message.ts'
import type { BuildHook, OpenHook } from './notification/hooks.ts'
import { OwnInstallation } from './own-installation.ts'
import { Page, type PeykEvents } from './page.ts'
import { callService, PeykError, type Service } from './rest.ts'
import { dropOthersMessages, listMessages, markMessageRead } from './store/inbox.ts'
import type { Installation } from './store/state.ts'
import { type EventData, type EventValue, type Revenue, trackedEvent, withoutDates } from './tracked-event.ts'
import { enableWebPush, type WebPushStatus } from './web-push.ts'
import { findWorker, type WorkerPlace } from './worker-registration.ts'

export type { ConnectionState, ConnectionStatus } from './connection.ts'
export type { Message, MessageNotification } from './message.ts'
export type { BuildHook, BuiltNotification, NotifiedMessage, OpenHook } from './notification/hooks.ts'
export type { OpenedNotification, OpenKind } from './notification/open-notification.ts'
export type { ShownNotification } from './notification/show-once.ts'
export type { PeykEvents } from './page.ts'
export { PeykError } from './rest.ts'
export type { EventData, EventValue, Revenue } from './tracked-event.ts'
export type { WebPushState, WebPushStatus } from './web-push.ts'

export interface PeykOptions {
  appId: string
  /** A token of the scope `client`. It is no secret. */
  clientKey: string
  /** Where the service is, such as `https://push.example.com`. */
  baseUrl: string
  /** Where the app's pages have the service worker (default: `/peyk-sw.js`). */
  serviceWorker?: string
  serviceWorkerScope?: string
  /** The version of the app, for segments. */
  clientVersion?: string
}

export interface RegisteredInstallation {
  installationId: string
  userId: string
  isGuest: boolean
}

export type AttributeValue = EventValue | null

export type OfferedPreferences = AnswerOf<typeof getOwnPreferences>

export class Peyk {
  static readonly version: string = version
  private readonly service: Service
  private readonly page: Page
  private readonly own: OwnInstallation
  private readonly workerPlace: WorkerPlace

  constructor(options: PeykOptions) {
    for (const name of ['appId', 'clientKey', 'baseUrl'] as const) {
      if (!options[name]) throw new PeykError('invalid-options', `new Peyk({ ${name} }) is missing.`)
    }
    if (!/^https?:\/\//.test(options.baseUrl)) {
      throw new PeykError('invalid-options', 'new Peyk({ baseUrl }) is an address such as https://push.example.com.')
    }
    if (typeof navigator === 'undefined' || !navigator.locks || typeof indexedDB === 'undefined') {
      throw new PeykError('unsupported', 'Peyk needs a page served over https (or from localhost).')
    }
    const { appId, clientKey, clientVersion } = options
    const service = { baseUrl: options.baseUrl.replace(/\/+$/, ''), clientKey }
    const workerPlace = { url: options.serviceWorker ?? '/peyk-sw.js', scope: options.serviceWorkerScope, appId }
    this.service = service
    this.workerPlace = workerPlace
    this.page = new Page({ appId, service, workerPlace })
    this.own = new OwnInstallation(this.page, { appId, service, clientVersion, workerPlace })
  }

  /** Of this browser, for the app's back end; undefined until it is registered. */
  get installationId(): string | undefined {
    return this.own.known?.id
  }

  /** A registered user id, or a guest's. */
  get userId(): string | undefined {
    return this.own.known?.userId
  }

  get connection(): ConnectionStatus {
    return this.page.status
  }

  /**
   * Registers this browser and begins to receive. Answers at once with what is known of an earlier visit, and the service
   * hears of this one in the background. The first time it waits, and goes on trying while there is no network; refused
   * by the service it throws.
   */
  async register(): Promise<RegisteredInstallation> {
    return describe(await this.own.ready())
  }

  /** From now on this browser is the user's. `userHash` is needed when the app verifies identities. */
  async login(userId: string, { userHash }: { userHash?: string } = {}): Promise<RegisteredInstallation> {
    return this.changeUser({ userId, isGuest: false, ...(userHash !== undefined && { userHash }) })
  }

  /** From now on this browser is a guest's. */
  async logout(): Promise<RegisteredInstallation> {
    return this.changeUser({ isGuest: true })
  }

  async addTag(tag: string): Promise<void> {
    await this.addTags([tag])
  }

  async addTags(tags: string[]): Promise<void> {
    await this.changeTags('addTags', { tags })
  }

  async removeTag(tag: string): Promise<void> {
    await this.removeTags([tag])
  }

  async removeTags(tags: string[]): Promise<void> {
    await this.changeTags('removeTags', { tags })
  }

  async addValueTag(tag: string, value: string): Promise<void> {
    await this.changeTags('addValueTag', { tag, value })
  }

  /** Attributes of the user. null removes one. */
  async setAttributes(attributes: Record<string, AttributeValue>): Promise<void> {
    const { values, keys } = withoutDates(attributes)
    await this.changeAttributes(values, keys)
  }

  async unsetAttributes(names: string[]): Promise<void> {
    await this.changeAttributes({}, Object.fromEntries(names.map((name) => [name, { operation: 'unset' }])))
  }

  async addToArray(name: string, values: string | string[]): Promise<void> {
    await this.changeArray(name, 'addToArray', values)
  }

  async removeFromArray(name: string, values: string | string[]): Promise<void> {
    await this.changeArray(name, 'removeFromArray', values)
  }

  async increment(name: string, by = 1): Promise<void> {
    await this.own.use(({ id: installationId }) => {
      const body = { installationId, attributes: [{ attribute: name, value: by }] }
      // Sent twice when the answer is lost: a key makes it count once.
      const idempotencyKey = crypto.randomUUID()
      return callService<typeof incrementAttribute>(this.service, '/api/installations/incrementAttribute', {
        body,
        idempotencyKey,
      })
    })
  }

  /** Kept in this browser until the service has it: fulfilled when it is kept. */
  async track(eventName: string, data: EventData = {}): Promise<void> {
    await this.addEvent(eventName, data)
  }

  async trackPurchase(eventName: string, { revenue, currency }: Revenue, data: EventData = {}): Promise<void> {
    await this.addEvent(eventName, data, { revenue, ...(currency !== undefined && { currency }) })
  }

  async trackRevenue(revenue: number, currency?: string, data: EventData = {}): Promise<void> {
    await this.trackPurchase('Purchase', { revenue, ...(currency !== undefined && { currency }) }, data)
  }

  /** `public/news` is the public channel news; a bare `orders` is the user's own channel. */
  async subscribe(channel: string): Promise<void> {
    await this.changeChannels((channels) => [...new Set([...channels, channel])])
  }

  async unsubscribe(channel: string): Promise<void> {
    await this.changeChannels((channels) => channels.filter((one) => one !== channel))
  }

  /** The messages that this browser has received for its user and that have not expired, the newest first. */
  async inbox(): Promise<Message[]> {
    const { userId } = await this.own.ready()
    return listMessages(this.page.database, userId)
  }

  /** Reports the message as opened, once, and takes its notification off the screen. */
  async markAsRead(messageId: string): Promise<void> {
    const message = await markMessageRead(this.page.database, messageId)
    if (!message || message.isRead) return
    const { trackId } = message
    const receipt = { actionType: 'OPENED' as const, msgId: messageId, actionTs: Date.now() }
    await this.page.reporter.addReceipt({ ...receipt, ...(trackId !== undefined && { trackId }) })
    const worker = await findWorker(this.workerPlace)
    for (const shown of (await worker?.getNotifications({ tag: messageId })) ?? []) shown.close()
  }

  /** Which kinds of messages the user wants, and which kinds there are, with their names by language. */
  async preferences(): Promise<OfferedPreferences> {
    return this.own.use(({ id }) =>
      callService<typeof getOwnPreferences>(this.service, `/api/installations/preferences/${id}`, { method: 'GET' }),
    )
  }

  /** What is not given stays as it is. */
  async setPreferences(change: PreferencesChange): Promise<Preferences> {
    return this.own.use(({ id }) =>
      callService<typeof changeOwnPreferences>(this.service, `/api/installations/preferences/${id}`, {
        method: 'PUT',
        body: change,
      }),
    )
  }

  /** Asks the user for permission, so call it when they press something; reports what came of it. */
  async enableWebPush(): Promise<WebPushStatus> {
    await this.own.ready()
    return enableWebPush(this.own.webPushParts)
  }

  /** Called before a notification is shown. Return false to show it yourself, an object to change it. */
  onBuildNotification(hook: BuildHook | undefined): void {
    this.page.buildHook = hook
  }

  /** Called when a notification is opened, dismissed, or one of its buttons pressed. Return false to stay where you are. */
  onNotificationOpen(hook: OpenHook | undefined): void {
    this.page.openHook = hook
  }

  /** Answers a function that ends the listening. */
  on<Name extends keyof PeykEvents>(name: Name, listener: (event: PeykEvents[Name]) => void): () => void {
    return this.page.events.on(name, listener)
  }

  /** Sends what is queued. Throws when that is not possible now; it goes on trying by itself. */
  async flush(): Promise<void> {
    await this.own.use(() => this.page.reporter.flush())
  }

  /** This page takes part no more. Other tabs, and the service worker, do. */
  close(): void {
    this.page.stop()
  }

  private async changeUser(change: Record<string, unknown>): Promise<RegisteredInstallation> {
    // What was tracked until now was tracked by the one who leaves.
    await this.flush()
    const installation = await this.own.change(() => change)
    await dropOthersMessages(this.page.database)
    return describe(installation)
  }

  /** The list is told whole: so it is read first, because a back end may have changed it since we were told. */
  private async changeChannels(change: (channels: string[]) => string[]): Promise<void> {
    await this.own.change(async ({ id }) => {
      const { subscriptions } = await callService<typeof getInstallation>(this.service, `/api/installations/${id}`, {
        method: 'GET',
      })
      return { subscriptions: change(subscriptions) }
    })
  }

  private async changeTags(
    path: 'addTags' | 'removeTags' | 'addValueTag',
    change: { tags: string[] } | { tag: string; value: string },
  ): Promise<void> {
    await this.own.use(({ id: installationId, userId }) =>
      callService<typeof addTags | typeof addValueTag>(this.service, `/api/installations/${path}`, {
        body: { userId, installationId, ...change },
      }),
    )
  }

  private async changeArray(name: string, operation: string, values: string | string[]): Promise<void> {
    const value = typeof values === 'string' ? [values] : values
    await this.changeAttributes({}, { [name]: { type: 'array', operation, value } })
  }

  private async changeAttributes(data: Record<string, unknown>, keys: Record<string, object>): Promise<void> {
    await this.own.use(({ id: installationId }) => {
      const body = { installationId, data, __meta: { keys } }
      return callService<typeof userInfo>(this.service, '/api/installations/userInfo', { method: 'PUT', body })
    })
  }

  private async addEvent(eventName: string, data: EventData, revenue?: Revenue): Promise<void> {
    const facts = { id: crypto.randomUUID(), now: Date.now(), ...(revenue && { revenue }) }
    await this.page.reporter.addEvent(trackedEvent(eventName, data, facts))
  }
}

function describe({ id, userId, isGuest }: Installation): RegisteredInstallation {
  return { installationId: id, userId, isGuest }
}
