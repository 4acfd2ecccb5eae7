import { aliasOf, isAlias } from '#features/installations/installation-alias.ts'
import type { Client, ClientConnection } from './client-connection.ts'
import { LeftClients } from './left-clients.ts'

/** The connections of this process, by everything they are looked for by. */
export class Connections {
  readonly all = new Set<ClientConnection>()
  readonly left = new LeftClients()
  private readonly byId = new Map<string, ClientConnection>()
  private readonly byInstallation = new Map<number, ClientConnection>()
  private readonly byInstallationId = new Map<string, ClientConnection>()
  private readonly byEvent = new Map<string, Set<ClientConnection>>()
  /** Of the apps that have had a client here. */
  private readonly aliasSecrets = new Map<number, Buffer>()
  private readonly perAddress = new Map<string, number>()
  private readonly perApp = new Map<number, number>()

  countAt(address: string): number {
    return this.perAddress.get(address) ?? 0
  }

  countOf(appId: number): number {
    return this.perApp.get(appId) ?? 0
  }

  /** It is here, or its end is not written down yet. */
  has(connectionId: string): boolean {
    return this.byId.has(connectionId)
  }

  /** Also returns a closed connection until its end is stored. */
  findById(connectionId: string): ClientConnection | undefined {
    return this.byId.get(connectionId)
  }

  /** It is removed, and its end is written down, or cannot be. */
  forget(connectionId: string): void {
    this.byId.delete(connectionId)
  }

  find(installationNo: number): ClientConnection | undefined {
    return this.byInstallation.get(installationNo)
  }

  /** Whether this client, which says only its name yet, takes over from one that is here. */
  holds(appId: number, installationId: string): boolean {
    return this.byInstallationId.get(installationId)?.client?.ctx.app.id === appId
  }

  add(connection: ClientConnection): void {
    this.all.add(connection)
    this.byId.set(connection.id, connection)
    change(this.perAddress, connection.transport.address, 1)
  }

  /** It has said who it is. Answers the one that it takes over from. */
  admit(connection: ClientConnection): ClientConnection | undefined {
    const { client } = connection
    if (!client) return undefined
    const before = this.byInstallation.get(client.installationNo)
    this.byInstallation.set(client.installationNo, connection)
    this.byInstallationId.set(client.installationId, connection)
    change(this.perApp, client.ctx.app.id, 1)
    this.aliasSecrets.set(client.ctx.app.id, client.aliasSecret)
    for (const key of client.eventTopics) this.subscribe(connection, key)
    return before
  }

  remove(connection: ClientConnection): void {
    if (!this.all.delete(connection)) return
    change(this.perAddress, connection.transport.address, -1)
    const { client } = connection
    if (!client) return
    change(this.perApp, client.ctx.app.id, -1)
    const { unacknowledged } = client.inFlightWindow
    this.left.record(
      { appId: client.ctx.app.id, installationNo: client.installationNo },
      { connectionId: connection.id, unacknowledged },
    )
    if (this.byInstallation.get(client.installationNo) === connection) {
      this.byInstallation.delete(client.installationNo)
    }
    if (this.byInstallationId.get(client.installationId) === connection) {
      this.byInstallationId.delete(client.installationId)
    }
    for (const key of client.eventTopics) this.drop(connection, eventKey(client, key))
  }

  /** `key` is an event's name and who it comes from: the client's own id, an alias, or `+` for anybody. */
  subscribe(connection: ClientConnection, key: string): void {
    const { client } = connection
    if (!client) return
    const appKey = eventKey(client, key)
    const subscribers = this.byEvent.get(appKey) ?? new Set()
    this.byEvent.set(appKey, subscribers)
    subscribers.add(connection)
  }

  /** A client may have named itself in two ways, and leave only one of them. */
  unsubscribe(connection: ClientConnection, key: string): void {
    const { client } = connection
    if (!client) return
    const otherName = otherNameOf(client, key)
    if (otherName !== undefined && client.eventTopics.has(otherName)) return
    this.drop(connection, eventKey(client, key))
  }

  private drop(connection: ClientConnection, appKey: string): void {
    const subscribers = this.byEvent.get(appKey)
    subscribers?.delete(connection)
    if (subscribers?.size === 0) this.byEvent.delete(appKey)
  }

  /** Undefined for an app of which nobody has been here. */
  aliasOf(appId: number, installationId: string): string | undefined {
    const secret = this.aliasSecrets.get(appId)
    return secret && aliasOf(secret, installationId)
  }

  /** Each once. Who comes or leaves meanwhile may be among them. */
  *subscribersOf(appId: number, eventName: string, alias: string): Generator<ClientConnection> {
    const any = this.byEvent.get(`${appId}/${eventName}/+`)
    if (any) yield* any
    for (const connection of this.byEvent.get(`${appId}/${eventName}/${alias}`) ?? []) {
      if (!any?.has(connection)) yield connection
    }
  }
}

/** A client's own id and its alias are two names of one sender. */
function eventKey(client: Client, key: string): string {
  const isById = key.endsWith(`/${client.installationId}`)
  return `${client.ctx.app.id}/${isById ? otherNameOf(client, key) : key}`
}

/** To find an alias takes 25 µs, and most clients never need theirs. */
function otherNameOf({ installationId, aliasSecret }: Client, key: string): string | undefined {
  const start = key.lastIndexOf('/') + 1
  const from = key.slice(start)
  if (!isAlias(from) && from !== installationId) return undefined
  const alias = aliasOf(aliasSecret, installationId)
  if (from === installationId) return `${key.slice(0, start)}${alias}`
  return from === alias ? `${key.slice(0, start)}${installationId}` : undefined
}

function change<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
