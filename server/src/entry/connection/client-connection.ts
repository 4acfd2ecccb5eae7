import type { Packet } from 'mqtt-packet'
import type { Context } from '#base/context.ts'
import type { InFlightWindow } from './inbox/in-flight-window.ts'
import type { Closing, Refusal } from './reasons.ts'
import type { Transport } from './transport/transport.ts'

export type Version = 4 | 5

/** Who is connected, once that is known. */
export interface Client {
  ctx: Context
  /** The client key, to be looked at again: it may be revoked. */
  key: string
  userId: string
  /** Another user has logged in on its installation. */
  hasOtherUser?: boolean
  installationId: string
  installationNo: number
  /** The app's key of the names under which others see its installations. */
  aliasSecret: Buffer
  /** As the last message that was sent says. */
  deviceType?: string
  eventTopics: Set<string>
  isOpen: boolean
  /** What the client takes at most; version 5 says so. */
  maxPacketBytes: number
  inFlightWindow: InFlightWindow
}

export type Stage = 'new' | 'connecting' | 'connected' | 'closed'

/** A client's connection as packets, inboxes and events see it. */
export interface ClientConnection {
  readonly id: string
  readonly transport: Transport
  readonly openedAtMs: number
  stage: Stage
  version: Version
  /** Undefined until it has said who it is. */
  client: Client | undefined
  heardAtMs: number
  /** 0: the client promised nothing. */
  keepaliveMs: number
  /** Since when the client has not read what was written; 0: it reads. */
  fullSinceMs: number
  send(packet: Packet): void
  write(bytes: Buffer): void
  /** The client's packets are acknowledged in the order they came in [MQTT-4.6.0-2], each when its work is done. */
  acknowledgeAfter(work: Promise<() => void>, bytes: number): void
  refuse(refusal: Refusal): void
  close(reason: Closing): void
}
