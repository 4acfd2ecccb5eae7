import { backOffMs } from './back-off.ts'
import type { Message } from './message.ts'
import { readClear, readMessage } from './message.ts'
import { MqttSession } from './mqtt/mqtt-session.ts'
import { readText } from './mqtt/packets.ts'

/**
 * stopped ─start─▶ connecting ─▶ connected
 *                     ▲              │ closed
 *                     └──── waiting ◀┘      refused: the key, or this installation, is not let in, though what is
 *                                           known of it was read again
 */
export type ConnectionState = 'stopped' | 'connecting' | 'connected' | 'waiting' | 'refused'

export interface ConnectionStatus {
  state: ConnectionState
  /** In words, for people who look for the cause. */
  reason?: string
}

export interface Identity {
  appId: string
  clientKey: string
  baseUrl: string
  userId: string
  installationId: string
}

interface ConnectionEvents {
  /** Acknowledged when it is fulfilled. */
  onMessage(message: Message, userId: string): Promise<void>
  /** The message was recalled. Acknowledged when it is fulfilled. */
  onClear(messageId: string): Promise<void>
  onStatus(status: ConnectionStatus): void
  /** The service does not know us as what we say we are. Fulfilled when that was read again, or could not be. */
  onRefused(): Promise<void>
}

const keepAliveSeconds = 90
const refusedPauseMs = 60_000
/** What breaks sooner after it was opened is tried again later and later, as what could not be opened is. */
const steadyMs = 30_000

/** Keeps the own connection to the service, for as long as it is wanted. */
export class Connection {
  private readonly events: ConnectionEvents
  private session: MqttSession | undefined
  private identity: Identity | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private failures = 0
  private connectedAt = Number.POSITIVE_INFINITY
  /** This identity was refused, and read again since. */
  private wasReadAgain = false
  private isVisible = true
  status: ConnectionStatus = { state: 'stopped' }

  constructor(events: ConnectionEvents) {
    this.events = events
  }

  /** Connects as this one; an open connection of another one is closed. */
  start(identity: Identity): void {
    if (JSON.stringify(identity) === JSON.stringify(this.identity)) return
    this.identity = identity
    this.failures = 0
    this.wasReadAgain = false
    this.open()
  }

  /** Ends a pause: the network is back, or somebody looks at the page again. */
  hurry(): void {
    if (this.status.state !== 'waiting') return
    this.openIn(Math.random() * backOffMs(1))
  }

  /** Whether any tab of the app can be seen: if not, messages for open apps are not meant for us. */
  showVisibility(isVisible: boolean): void {
    if (isVisible === this.isVisible) return
    this.isVisible = isVisible
    if (this.status.state === 'connected') this.tellVisibility()
  }

  stop(): void {
    this.identity = undefined
    clearTimeout(this.timer)
    this.closeSession()
    this.setStatus({ state: 'stopped' })
  }

  private open(): void {
    const { identity } = this
    if (!identity) return
    clearTimeout(this.timer)
    this.closeSession()
    this.setStatus({ state: 'connecting' })
    const { appId, userId, installationId, clientKey } = identity
    const clientId = `${appId}/${userId}/${installationId}`
    const options = { clientId, username: clientKey, password: clientKey, keepAliveSeconds }
    const session: MqttSession = new MqttSession(socketUrl(identity.baseUrl), options, {
      onConnected: (isSessionPresent) => {
        this.connectedAt = performance.now()
        this.wasReadAgain = false
        if (!isSessionPresent) void session.subscribe([`app/${appId}/user/${userId}/default`])
        if (!this.isVisible) this.tellVisibility()
        this.setStatus({ state: 'connected' })
      },
      onMessage: async (topic, payload) => {
        const json = readText(payload)
        const cleared = readClear(json)
        if (cleared !== undefined) return this.events.onClear(cleared)
        const message = readMessage(topic, json, Date.now())
        if (message) await this.events.onMessage(message, userId)
      },
      onClosed: ({ refusal }) => {
        if (this.session === session) this.wait(refusal)
      },
    })
    this.session = session
  }

  private wait(refusal: number | undefined): void {
    this.session = undefined
    this.failures = performance.now() - this.connectedAt > steadyMs ? 1 : this.failures + 1
    this.connectedAt = Number.POSITIVE_INFINITY
    // [MQTT 3.1.1, 3.2.2.3] 3: the server is not available; the others say that we are not let in.
    if (refusal === undefined || refusal === 3) {
      this.openIn(backOffMs(this.failures))
      this.setStatus({ state: 'waiting' })
      return
    }
    if (!this.wasReadAgain) {
      this.setStatus({ state: 'waiting' })
      void this.readAgain()
      return
    }
    this.openIn(refusedPauseMs + backOffMs(this.failures))
    this.setStatus({
      state: 'refused',
      reason: `The service did not let this installation in (code ${refusal}): is the client key right?`,
    })
    void this.events.onRefused()
  }

  /** A login may have changed the user while we connected as the one before. */
  private async readAgain(): Promise<void> {
    const { identity } = this
    await this.events.onRefused()
    if (!identity || identity !== this.identity) return
    this.wasReadAgain = true
    if (!this.session) this.openIn(backOffMs(1))
  }

  private openIn(ms: number): void {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.open(), ms)
  }

  private tellVisibility(): void {
    const { appId, installationId } = this.identity as Identity
    this.session?.tell(`app/${appId}/state/${installationId}`, this.isVisible ? 'foreground' : 'background')
  }

  private closeSession(): void {
    const { session } = this
    this.session = undefined
    session?.close()
  }

  private setStatus(status: ConnectionStatus): void {
    this.status = status
    this.events.onStatus(status)
  }
}

function socketUrl(baseUrl: string): string {
  return `${baseUrl.replace(/^http/, 'ws')}/mqtt`
}
