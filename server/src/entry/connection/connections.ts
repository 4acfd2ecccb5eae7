import type { Connection } from './connection.ts'

/** The connections of this process, by everything they are looked for by. */
export class Connections {
  readonly all = new Set<Connection>()
  private readonly ids = new Set<string>()
  private readonly byInstallation = new Map<number, Connection>()
  private readonly byInstallationId = new Map<string, Connection>()
  private readonly byEvent = new Map<string, Set<Connection>>()
  private readonly perAddress = new Map<string, number>()
  private readonly perApp = new Map<number, number>()
  private readonly leftAtMs = new Map<number, { appId: number; atMs: number }>()

  countAt(address: string): number {
    return this.perAddress.get(address) ?? 0
  }

  countOf(appId: number): number {
    return this.perApp.get(appId) ?? 0
  }

  has(connectionId: string): boolean {
    return this.ids.has(connectionId)
  }

  find(installationNo: number): Connection | undefined {
    return this.byInstallation.get(installationNo)
  }

  /** Whether this client, which says only its name yet, takes over from one that is here. */
  holds(appId: number, installationId: string): boolean {
    return this.byInstallationId.get(installationId)?.client?.ctx.app.id === appId
  }

  add(connection: Connection): void {
    this.all.add(connection)
    this.ids.add(connection.id)
    change(this.perAddress, connection.line.address, 1)
  }

  /** It has said who it is. Answers the one that it takes over from. */
  admit(connection: Connection): Connection | undefined {
    const { client } = connection
    if (!client) return undefined
    const before = this.byInstallation.get(client.installationNo)
    this.byInstallation.set(client.installationNo, connection)
    this.byInstallationId.set(client.installationId, connection)
    change(this.perApp, client.ctx.app.id, 1)
    for (const key of client.eventTopics) this.subscribe(connection, key)
    return before
  }

  remove(connection: Connection): void {
    if (!this.all.delete(connection)) return
    this.ids.delete(connection.id)
    change(this.perAddress, connection.line.address, -1)
    const { client } = connection
    if (!client) return
    change(this.perApp, client.ctx.app.id, -1)
    this.noteLeft({ appId: client.ctx.app.id, installationNo: client.installationNo })
    if (this.byInstallation.get(client.installationNo) === connection) {
      this.byInstallation.delete(client.installationNo)
    }
    if (this.byInstallationId.get(client.installationId) === connection) {
      this.byInstallationId.delete(client.installationId)
    }
    for (const key of client.eventTopics) this.unsubscribe(connection, key)
  }

  /** Those that left lately: what was on its way to them may come into the inbox a moment later. */
  get left(): { appId: number; installationNo: number }[] {
    return [...this.leftAtMs].map(([installationNo, { appId }]) => ({ appId, installationNo }))
  }

  noteLeft({ appId, installationNo }: { appId: number; installationNo: number }): void {
    this.leftAtMs.set(installationNo, { appId, atMs: performance.now() })
  }

  forgetLeft(beforeMs: number): void {
    for (const [installationNo, { atMs }] of this.leftAtMs) if (atMs < beforeMs) this.leftAtMs.delete(installationNo)
  }

  /** `key` is an event's name and who it comes from, or `+` for anybody. */
  subscribe(connection: Connection, key: string): void {
    const appKey = `${connection.client?.ctx.app.id}/${key}`
    const subscribers = this.byEvent.get(appKey) ?? new Set()
    this.byEvent.set(appKey, subscribers)
    subscribers.add(connection)
  }

  unsubscribe(connection: Connection, key: string): void {
    const appKey = `${connection.client?.ctx.app.id}/${key}`
    const subscribers = this.byEvent.get(appKey)
    subscribers?.delete(connection)
    if (subscribers?.size === 0) this.byEvent.delete(appKey)
  }

  subscribersOf(appId: number, eventName: string, installationId: string): Set<Connection> {
    const named = this.byEvent.get(`${appId}/${eventName}/${installationId}`)
    const any = this.byEvent.get(`${appId}/${eventName}/+`)
    return new Set([...(named ?? []), ...(any ?? [])])
  }
}

function change<Key>(counts: Map<Key, number>, key: Key, by: number): void {
  const count = (counts.get(key) ?? 0) + by
  if (count > 0) counts.set(key, count)
  else counts.delete(key)
}
