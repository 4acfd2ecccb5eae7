import mqtt from 'mqtt-packet'
import type { Client, ClientConnection, Version } from '../client-connection.ts'

/** An event that one client publishes for others. */
export interface PassedEvent {
  appId: number
  label: string
  name: string
  /** Who published it; others see the alias. */
  installationId: string
}

/** An event's PUBLISH, written once for all who are to see the same. */
export class EventPackets {
  private readonly event: PassedEvent
  private readonly alias: string
  private readonly payload: Buffer
  private readonly written = new Map<string, Buffer>()

  constructor(event: PassedEvent, alias: string, payload: Buffer) {
    this.event = event
    this.alias = alias
    this.payload = payload
  }

  for({ client, version }: ClientConnection): Buffer {
    const isKnown = this.isKnownTo(client)
    const key = `${version} ${isKnown}`
    const bytes = this.written.get(key) ?? this.generate(isKnown, version)
    this.written.set(key, bytes)
    return bytes
  }

  /** Only the sender itself sees its id, unless it asked by its alias. */
  private isKnownTo(client: Client | undefined): boolean {
    const { name, installationId } = this.event
    return client?.installationId === installationId && !client.eventTopics.has(`${name}/${this.alias}`)
  }

  private generate(isKnown: boolean, protocolVersion: Version): Buffer {
    const { label, name, installationId } = this.event
    const topic = `app/${label}/event/${name}/${isKnown ? installationId : this.alias}`
    const payload = isKnown ? this.payload : withAlias(this.payload, installationId, this.alias)
    return mqtt.generate({ cmd: 'publish', topic, payload, qos: 0, dup: false, retain: false }, { protocolVersion })
  }
}

/** A client may have written its id into the event, too. Latin 1 has a character for every byte. */
function withAlias(payload: Buffer, installationId: string, alias: string): Buffer {
  const text = payload.toString('latin1')
  const changed = text.replaceAll(new RegExp(installationId, 'gi'), alias)
  return changed === text ? payload : Buffer.from(changed, 'latin1')
}
