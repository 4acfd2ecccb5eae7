import { MqttLine, type Words } from './mqtt-line.ts'
import { RetryLoop, type StepResult } from './retry-loop.ts'

/** As whom a phone connects, and where. */
export interface ConnectionTarget {
  url: string
  appId: string
  userId: string
  installationId: string
  clientKey: string
}

export interface ConnectionWish {
  /** Undefined: no connection is wanted, or none is possible. */
  target: ConnectionTarget | undefined
  /** The service knows the installation, so that it can be let in. */
  mayBegin: boolean
  /** With a network and the app installed: who goes can say so. */
  canSpeak: boolean
  isAppOpen: boolean
}

interface ConnectionWorld {
  wish(): ConnectionWish
  /** The message is acknowledged when this is fulfilled. */
  onMessage(payload: Buffer): Promise<void>
  onChange(): void
  /** The service does not know the installation as what it says it is. */
  onRefused(): void
}

/**
 * Keeps the own connection to the service for as long as it is wished for.
 *
 *   none ──wish──▶ connecting ──CONNACK──▶ connected
 *     ▲               │ refused, cut           │ cut
 *     │               └──────▶ pausing ◀───────┘
 *     └─────────────────────── no wish
 */
export class PhoneConnection {
  isConnected = false
  /** Why there is none although it is wished for. */
  fault: string | null = null
  private readonly world: ConnectionWorld
  private readonly loop = new RetryLoop(() => this.hold())
  private held: { line: MqttLine; target: ConnectionTarget; isAppOpen: boolean } | undefined

  constructor(world: ConnectionWorld) {
    this.world = world
  }

  /** What is wished for may be another thing now. */
  update(options: { endPause?: boolean } = {}): void {
    const { target, canSpeak, isAppOpen } = this.world.wish()
    if (this.held && !(target && isSame(target, this.held.target))) {
      this.isConnected = false
      if (canSpeak) this.held.line.end()
      else this.held.line.cut('the phone is out of reach')
    } else if (this.held && isAppOpen !== this.held.isAppOpen) {
      this.held.isAppOpen = isAppOpen
      this.held.line.say(stateWords(this.held.target, isAppOpen))
    }
    if (!target) this.fault = null
    this.loop.wake(options)
  }

  close(): void {
    this.loop.close()
    this.held?.line.end()
  }

  private async hold(): Promise<StepResult> {
    const { target, mayBegin, isAppOpen } = this.world.wish()
    if (!target || !mayBegin) return 'idle'
    await this.holdOne(target, isAppOpen)
    return this.world.wish().target ? 'later' : 'idle'
  }

  private holdOne(target: ConnectionTarget, isAppOpen: boolean): Promise<void> {
    const { url, appId, userId, installationId, clientKey } = target
    const clientId = `${appId}/${userId}/${installationId}`
    // Who connects counts as open until it says otherwise.
    const firstWords = isAppOpen ? undefined : stateWords(target, false)
    return new Promise((resolve) => {
      const line = new MqttLine(
        { url, clientId, clientKey, firstWords },
        {
          onConnected: () => {
            this.loop.succeed()
            this.isConnected = true
            this.fault = null
            this.world.onChange()
          },
          onMessage: (payload) => this.world.onMessage(payload),
          onClosed: ({ reason, refusal }) => {
            this.held = undefined
            this.isConnected = false
            this.fault = this.world.wish().target ? reason : null
            resolve()
            this.world.onChange()
            if (refusal !== undefined && refusal !== unavailable) this.world.onRefused()
          },
        },
      )
      this.held = { line, target, isAppOpen }
    })
  }
}

const unavailable = 3

function stateWords({ appId, installationId }: ConnectionTarget, isAppOpen: boolean): Words {
  return { topic: `app/${appId}/state/${installationId}`, text: isAppOpen ? 'foreground' : 'background' }
}

function isSame(one: ConnectionTarget, other: ConnectionTarget): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
