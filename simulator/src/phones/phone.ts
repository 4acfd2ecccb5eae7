import { randomUUID } from 'node:crypto'
import { callService, type Service } from './call-service.ts'
import { drawMessage, drawNotification } from './draw-notification.ts'
import { type HeldPush, holdPush, stillValid } from './held-push.ts'
import { type ConnectionWish, PhoneConnection } from './phone-connection.ts'
import { PhoneError } from './phone-error.ts'
import { clearMessage, findNotification, settleNotification, showOnce } from './phone-screen.ts'
import {
  type NotificationState,
  type PendingReceipt,
  type PhoneState,
  type PhoneView,
  type ShownNotification,
  viewPhone,
} from './phone-state.ts'
import { pushProviderOf } from './platform.ts'
import { readClear } from './read-clear.ts'
import { parse, readMessage } from './read-message.ts'
import { type RegistrationFault, registerPhone } from './register-phone.ts'
import { RetryLoop, type StepResult } from './retry-loop.ts'
import type { Subscriber } from './subscriber.ts'

interface PhoneWorld {
  subscriber: Subscriber
  service(): Service | undefined
  onChange(state: PhoneState): void
  /** Answers when what the phone is now outlives this process. */
  stored(): Promise<void>
}

const maxMessages = 50
const receiptsPerCall = 100

/**
 * A virtual phone with the app on it. It registers and reports as a real client does, and works on without a network:
 * its provider holds what comes meanwhile, and it keeps what it has to report. The own connection is held while the
 * app is open; on a phone without a provider all the time, so that messages come to the closed app too.
 *
 *   installed, online ◀──▶ installed, offline
 *        │ uninstall ▲ reinstall (new token, new installation, nothing remembered)
 *        ▼           │
 *      not installed: the token is dead
 */
export class Phone {
  readonly state: PhoneState
  private readonly world: PhoneWorld
  private readonly end = new AbortController()
  private registrationFault: RegistrationFault | undefined
  /** Those who wait until the service knows the phone look again. */
  private readonly registrationWatchers = new Set<() => void>()
  private readonly loop = new RetryLoop(() => this.talk())
  private readonly connection = new PhoneConnection({
    wish: () => this.wishForConnection(),
    onMessage: (payload) => this.receiveMessage(payload),
    onChange: () => this.changed(),
    onRefused: () => this.registerAgain(),
  })

  constructor(state: PhoneState, world: PhoneWorld) {
    this.state = state
    this.world = world
  }

  view(): PhoneView {
    return viewPhone(this.state, this.connection)
  }

  /** The app is started: the service hears of it. */
  launch(): void {
    this.state.launchCount++
    this.state.launchedAt = Date.now()
    this.registerAgain()
  }

  /**
   * Answers when the service knows the phone: a message that is sent next finds it. Throws with the reason when the
   * service refuses it, or has not taken it in time. Without a service there is nothing to wait for.
   */
  async whenRegistered(patienceMs: number): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const fail = () => {
      const detail = this.registrationFault?.detail ?? `it has not answered for ${patienceMs / 1_000} seconds`
      reject(
        new PhoneError('not-now', `The service at ${this.world.service()?.baseUrl} did not register it: ${detail}`),
      )
    }
    const look = () => {
      if (this.state.installationId !== null || !this.world.service()) resolve()
      else if (this.registrationFault?.isFinal) fail()
    }
    this.registrationWatchers.add(look)
    const timer = setTimeout(fail, patienceMs).unref()
    try {
      look()
      await promise
    } finally {
      clearTimeout(timer)
      this.registrationWatchers.delete(look)
    }
  }

  /** The service is another one, or has started again: the phone says who it is, and waits no longer. */
  meetService(): void {
    this.registerAgain()
    this.connection.update({ endPause: true })
  }

  /** Goes on where it was before a restart of the simulator. */
  resume(): void {
    this.loop.wake()
    this.connection.update()
  }

  close(): void {
    this.end.abort()
    this.loop.close()
    this.connection.close()
  }

  /** The provider hands over a push, or keeps it while the phone is away. */
  receive(push: HeldPush): void {
    const { state } = this
    if (!state.installed) return
    if (state.online) this.take(push)
    else state.held = holdPush(state.held, push, state.platform)
    this.changed()
  }

  openApp(): void {
    const { state } = this
    if (!state.installed) throw new PhoneError('not-now', `The app is not installed on phone ${state.id}.`)
    if (state.app === 'open') return
    state.app = 'open'
    this.launch()
    this.changed({ isNewChance: true })
  }

  closeApp(): void {
    this.state.app = 'closed'
    this.changed()
  }

  goOffline(): void {
    this.state.online = false
    this.changed()
  }

  goOnline(): void {
    const { state } = this
    if (state.online) return
    state.online = true
    const held = stillValid(state.held, Date.now())
    state.held = []
    for (const push of held) this.take(push)
    this.changed({ isNewChance: true })
    this.loop.wake({ endPause: true })
  }

  uninstall(): void {
    const { state } = this
    if (!state.installed) return
    if (state.address !== null) this.world.subscriber.end(state.platform, state.address)
    Object.assign(state, { installed: false, installNo: state.installNo + 1, appId: null, installationId: null })
    Object.assign(state, { app: 'closed', deviceToken: null, address: null, vapidKey: null })
    Object.assign(state, { notifications: [], messages: [], seen: [], held: [], receipts: [] })
    this.changed()
  }

  reinstall(): void {
    const { state } = this
    this.uninstall()
    Object.assign(state, { installed: true, installedAt: Date.now(), launchCount: 0 })
    this.launch()
    this.changed()
  }

  tap(messageId: string | undefined): void {
    if (this.settle(messageId, 'opened', { actionType: 'OPENED' })) this.launch()
  }

  dismiss(messageId: string | undefined): void {
    this.settle(messageId, 'dismissed', { actionType: 'DISMISSED' })
  }

  takeAction(messageId: string | undefined, actionId: string): void {
    const known = findNotification(this.state, messageId).actions.map(({ id }) => id)
    if (!known.includes(actionId)) {
      const expected = known.length > 0 ? `one of ${known.join(', ')}` : 'none: it has no actions'
      throw new PhoneError('wrong', `The notification has no action "${actionId}"; expected ${expected}.`)
    }
    this.settle(messageId, 'acted', { actionType: 'ACTION_TAKEN', actionId })
  }

  private registerAgain(): void {
    this.state.isRegistered = false
    this.loop.wake({ endPause: true })
  }

  /** Its address at the provider is no good any more: it gets another one. */
  subscribeAgain(): void {
    Object.assign(this.state, { deviceToken: null, address: null, vapidKey: null, isRegistered: false })
    this.loop.wake()
  }

  private take({ content, pushId, collapseKey }: HeldPush): void {
    const { state } = this
    const cleared = readClear(content)
    if (cleared !== undefined) return void clearMessage(state, cleared)
    const drawn = drawNotification(state.platform, content, collapseKey)
    const shown = showOnce(state, { ...drawn, messageId: drawn.messageId ?? pushId }, pushProviderOf[state.platform])
    if (shown && drawn.messageId !== undefined) this.report({ actionType: 'SHOWN' }, shown)
  }

  /** A message over the own connection: the app has it, and it is shown unless that has happened before. */
  private async receiveMessage(payload: Buffer): Promise<void> {
    const { state } = this
    const cleared = readClear(parse(payload))
    if (cleared !== undefined) {
      clearMessage(state, cleared)
      this.changed()
      return this.world.stored()
    }
    const received = readMessage(payload, Date.now())
    if (!received) return
    const { message, sent } = received
    const { messageId } = message
    if (!state.messages.some((other) => other.messageId === messageId)) {
      state.messages = [...state.messages, message].slice(-maxMessages)
    }
    const shown = showOnce(state, { ...drawMessage(sent), messageId }, 'connection')
    if (shown) this.report({ actionType: 'SHOWN' }, shown)
    this.changed()
    await this.world.stored()
  }

  private wishForConnection(): ConnectionWish {
    const { installed, online, isRegistered, appId, userId, installationId, provider, app } = this.state
    const canSpeak = online && installed
    const { mqttUrl, clientKey = '' } = { ...this.world.service() }
    const isWanted = canSpeak && (provider === 'none' || app === 'open')
    const isKnown = appId !== null && installationId !== null && mqttUrl !== undefined
    const target = isWanted && isKnown ? { url: mqttUrl, appId, userId, installationId, clientKey } : undefined
    return { target, mayBegin: isRegistered, canSpeak, isAppOpen: app === 'open' }
  }

  private settle(
    messageId: string | undefined,
    to: NotificationState,
    receipt: Pick<PendingReceipt, 'actionType' | 'actionId'>,
  ): boolean {
    const notification = findNotification(this.state, messageId)
    if (!settleNotification(notification, to)) return false
    this.report(receipt, notification)
    this.changed()
    return true
  }

  /** Whoever watches is told, and the connection is held or let go accordingly. */
  private changed({ isNewChance = false } = {}): void {
    this.connection.update({ endPause: isNewChance })
    this.world.onChange(this.state)
  }

  private report(receipt: Pick<PendingReceipt, 'actionType' | 'actionId'>, of: ShownNotification): void {
    const { messageId, trackId } = of
    this.state.receipts.push({
      id: randomUUID(),
      ...receipt,
      msgId: messageId,
      ...(trackId !== undefined && { trackId }),
      actionTs: Date.now(),
    })
    this.loop.wake()
  }

  /** One thing at a time: it registers first, and reports then. */
  private async talk(): Promise<StepResult> {
    const { state } = this
    const service = this.world.service()
    if (!service || !state.online || !state.installed) return 'idle'
    if (!state.isRegistered) {
      const { subscriber } = this.world
      const onSubscribed = () => this.changed()
      const onFault = (fault: RegistrationFault) => {
        this.registrationFault = fault
      }
      const { signal } = this.end
      const result = await registerPhone(state, service, { subscriber, signal, onSubscribed, onFault })
      this.changed()
      for (const look of [...this.registrationWatchers]) look()
      return result
    }
    return state.receipts.length > 0 ? this.sendReceipts(service) : 'idle'
  }

  private async sendReceipts(service: Service): Promise<StepResult> {
    const { state } = this
    const { installNo, installationId, userId, platform } = state
    const sent = state.receipts.slice(0, receiptsPerCall)
    const eventData = sent.map((receipt) => ({ type: 1, ...receipt }))
    const createdAt = Date.now()
    const body = { userId, installationId, deviceType: platform, sessionId: `${installNo}`, createdAt, eventData }
    const answer = await callService(service, 'POST', '/api/installations/events', body, this.end.signal)
    if (state.installNo !== installNo) return 'again'
    if (answer.kind === 'later') return 'later'
    if (answer.kind === 'not-found') Object.assign(state, { isRegistered: false, installationId: null })
    // Refused ones go too: they would hold up the others for ever.
    state.receipts = state.receipts.filter((receipt) => !sent.includes(receipt))
    this.changed()
    return 'again'
  }
}
