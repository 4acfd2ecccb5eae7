import { randomUUID } from 'node:crypto'
import { callService, type Service } from './call-service.ts'
import { drawNotification } from './draw-notification.ts'
import { type HeldPush, holdPush, stillValid } from './held-push.ts'
import type { NotificationState, PendingReceipt, PhoneState, ShownNotification } from './phone-state.ts'
import { registerPhone } from './register-phone.ts'
import { RetryLoop, type StepResult } from './retry-loop.ts'
import type { Subscriber } from './subscriber.ts'

/** What cannot be done to a phone: it has no such thing, it is called wrongly, or not as the phone is now. */
export class PhoneError extends Error {
  readonly kind: 'unknown' | 'wrong' | 'not-now'

  constructor(kind: PhoneError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

interface PhoneWorld {
  subscriber: Subscriber
  service(): Service | undefined
  onChange(state: PhoneState): void
}

const maxNotifications = 50
const maxSeen = 500
const receiptsPerCall = 100

/**
 * A virtual phone with the app on it. It registers and reports as a real client does, and works on without a network:
 * its provider holds what comes meanwhile, and it keeps what it has to report.
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
  private readonly loop = new RetryLoop(() => this.talk())

  constructor(state: PhoneState, world: PhoneWorld) {
    this.state = state
    this.world = world
  }

  /** The app is started: the service hears of it. */
  launch(): void {
    this.state.launchCount++
    this.state.launchedAt = Date.now()
    this.registerAgain()
  }

  /** The service is another one, or may have forgotten the phone: it says again who it is. */
  registerAgain(): void {
    this.state.isRegistered = false
    this.loop.wake({ endPause: true })
  }

  /** Goes on where it was before a restart of the simulator. */
  resume(): void {
    this.loop.wake()
  }

  close(): void {
    this.end.abort()
    this.loop.close()
  }

  /** The provider hands over a push, or keeps it while the phone is away. */
  receive(push: HeldPush): void {
    const { state } = this
    if (!state.installed) return
    if (state.online) this.take(push)
    else state.held = holdPush(state.held, push, state.platform)
    this.world.onChange(state)
  }

  goOffline(): void {
    this.state.online = false
    this.world.onChange(this.state)
  }

  goOnline(): void {
    const { state } = this
    if (state.online) return
    state.online = true
    const held = stillValid(state.held, Date.now())
    state.held = []
    for (const push of held) this.take(push)
    this.world.onChange(state)
    this.loop.wake({ endPause: true })
  }

  uninstall(): void {
    const { state } = this
    if (!state.installed) return
    if (state.address !== null) this.world.subscriber.end(state.platform, state.address)
    Object.assign(state, { installed: false, installNo: state.installNo + 1, installationId: null })
    Object.assign(state, { deviceToken: null, address: null, vapidKey: null })
    Object.assign(state, { notifications: [], seen: [], held: [], receipts: [] })
    this.world.onChange(state)
  }

  reinstall(): void {
    const { state } = this
    this.uninstall()
    Object.assign(state, { installed: true, installedAt: Date.now(), launchCount: 0 })
    this.launch()
    this.world.onChange(state)
  }

  tap(messageId: string | undefined): void {
    if (this.settle(messageId, 'opened', { actionType: 'OPENED' })) this.launch()
  }

  dismiss(messageId: string | undefined): void {
    this.settle(messageId, 'dismissed', { actionType: 'DISMISSED' })
  }

  takeAction(messageId: string | undefined, actionId: string): void {
    const known = this.findNotification(messageId).actions.map(({ id }) => id)
    if (!known.includes(actionId)) {
      const expected = known.length > 0 ? `one of ${known.join(', ')}` : 'none: it has no actions'
      throw new PhoneError('wrong', `The notification has no action "${actionId}"; expected ${expected}.`)
    }
    this.settle(messageId, 'acted', { actionType: 'ACTION_TAKEN', actionId })
  }

  /** Its address at the provider is no good any more: it gets another one. */
  subscribeAgain(): void {
    Object.assign(this.state, { deviceToken: null, address: null, vapidKey: null, isRegistered: false })
    this.loop.wake()
  }

  private take({ content, pushId, collapseKey }: HeldPush): void {
    const { state } = this
    const drawn = drawNotification(state.platform, content, collapseKey)
    const messageId = drawn.messageId ?? pushId
    if (state.seen.includes(messageId)) return
    state.seen = [...state.seen, messageId].slice(-maxSeen)
    if (!drawn.notification || state.permission === 'denied') return
    const shown: ShownNotification = { messageId, ...drawn.notification, shownAt: Date.now(), state: 'shown' }
    const others = state.notifications.filter((other) => shown.tag === undefined || other.tag !== shown.tag)
    state.notifications = [...others, shown].slice(-maxNotifications)
    if (drawn.messageId !== undefined) this.report({ actionType: 'SHOWN' }, shown)
  }

  /** True when it was not so before. A notification that has gone from the screen cannot be touched again. */
  private settle(
    messageId: string | undefined,
    to: NotificationState,
    receipt: Pick<PendingReceipt, 'actionType' | 'actionId'>,
  ): boolean {
    const notification = this.findNotification(messageId)
    if (notification.state === to) return false
    if (notification.state !== 'shown') {
      throw new PhoneError(
        'not-now',
        `The notification of message ${notification.messageId} is not on the screen: it was ${notification.state}.`,
      )
    }
    notification.state = to
    this.report(receipt, notification)
    this.world.onChange(this.state)
    return true
  }

  private findNotification(messageId: string | undefined): ShownNotification {
    const { notifications, id } = this.state
    const found =
      messageId === undefined
        ? notifications.findLast(({ state }) => state === 'shown')
        : notifications.findLast((notification) => notification.messageId === messageId)
    if (found) return found
    throw new PhoneError(
      'unknown',
      messageId === undefined
        ? `Phone ${id} shows no notification.`
        : `Phone ${id} has shown no notification of message ${messageId}.`,
    )
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
      const { subscriber, onChange } = this.world
      const onSubscribed = () => onChange(state)
      const result = await registerPhone(state, service, { subscriber, signal: this.end.signal, onSubscribed })
      this.world.onChange(state)
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
    this.world.onChange(state)
    return 'again'
  }
}
