import type { Context } from '#base/context.ts'
import type { Logger } from '#base/log.ts'
import { runAsService } from '#base/store/pool/connection-scope.ts'
import { isStoreAway } from '#base/store/store-error.ts'
import { isTracing } from '#base/trace/tracing.ts'
import type { DirectDelivery } from '#features/deliveries/direct/direct-delivery.ts'
import type { Fresh } from '#features/deliveries/inbox/inbox-notifier.ts'
import { readFresh } from '#features/deliveries/inbox/read-fresh.ts'
import { type InboxMessage, readInbox } from '#features/deliveries/inbox/read-inbox.ts'
import { recordLiveSent } from '#features/deliveries/inbox/record-live-sent.ts'
import { startMessageSpan } from '#features/messages/message-traces.ts'
import { PendingTexts } from '#features/messages/rendering/pending-texts.ts'
import type { Client, ClientConnection } from '../client-connection.ts'
import type { ConnectionMetrics } from '../metrics.ts'
import { writePublish } from '../packets/write-publish.ts'
import { fullBytes } from '../transport/transport.ts'
import { byAge, groupByMessage, type InboxArrival } from './inbox-arrivals.ts'
import { topicOfClear, topicOfMessage } from './topic-of-message.ts'

const connectionsPerRead = 500
/** [client-protocol.md#receiving-messages] A live message goes with QoS 0. */
const unnumbered = { packetId: undefined, isAgain: false }

interface SentLive {
  client: Client
  messageId: string
  isSent: boolean
  tries: number
}

const mostTries = 10
const clearExpirySeconds = 86_400
const lookAgainMs = 200

/**
 * Brings what waits in the inboxes to the clients. Those that are woken while a read is under way go together in the
 * next one. A read that fails is made up for by the upkeep, which wakes whoever has something waiting.
 *
 *   woken ───▶ the inbox is read ─────────────────────────────────────────▶ PUBLISH
 *   arrived ─▶ nothing older waits: is it still to be sent, and to this user? ──▲
 *
 * What is direct arrives before it is stored. Where it cannot go at once, it ends here, and comes into the inbox.
 * A message never passes one that was accepted before it for the same user and is still on its way into the inbox: its
 * client is looked at again in a moment.
 */
export class InboxSender {
  private readonly store: Context['store']
  private readonly now: Context['now']
  private readonly external: Context['external']
  private readonly log: Logger
  private readonly metrics: ConnectionMetrics
  private readonly woken = new Set<ClientConnection>()
  private arrived: InboxArrival[] = []
  /** Whose inboxes are being read. */
  private reading: ReadonlyMap<number, ClientConnection> = new Map()
  private readonly late: PendingTexts
  /** Those for whom something older is still on its way. */
  private readonly behind = new Set<ClientConnection>()
  private lookingAgain: NodeJS.Timeout | undefined
  /** Live messages that could not be noted as sent. */
  private unnoted: SentLive[] = []
  private running: Promise<void> | undefined

  private readonly mayDeliver: () => boolean

  constructor(
    given: Pick<Context, 'store' | 'now' | 'external'> & { log: Logger; metrics: ConnectionMetrics },
    mayDeliver: () => boolean = () => true,
  ) {
    this.mayDeliver = mayDeliver
    this.store = given.store
    this.now = given.now
    this.external = given.external
    this.log = given.log
    this.metrics = given.metrics
    this.late = new PendingTexts(given.log)
  }

  /** There may be something for this client, or room for more. */
  wake(connection: ClientConnection): void {
    if (!this.mayDeliver()) return void hold(connection)
    this.woken.add(connection)
    this.start()
  }

  /** This has come into the client's inbox. It goes at once unless something older may wait there. */
  addArrival(connection: ClientConnection, appId: number, fresh: Fresh): void {
    if (!this.isAlone(connection, appId, fresh)) return void this.wake(connection)
    this.arrived.push({ connection, fresh })
    this.start()
  }

  /** The same for what is not in the inbox yet. Answers whether it is taken. */
  takeDirect(connection: ClientConnection, appId: number, offer: { fresh: Fresh; direct: DirectDelivery }): boolean {
    if (!this.isAlone(connection, appId, offer.fresh)) return false
    this.arrived.push({ connection, ...offer })
    this.start()
    return true
  }

  /** Nothing is known that the client would have to get before. */
  private isAlone(
    connection: ClientConnection,
    appId: number,
    fresh: Fresh,
  ): connection is ClientConnection & { client: Client } {
    const { client, stage } = connection
    return (
      client !== undefined &&
      this.mayDeliver() &&
      stage === 'connected' &&
      client.ctx.app.id === appId &&
      client.userId === fresh.userId &&
      !client.inFlightWindow.mayHaveMore &&
      !this.woken.has(connection) &&
      !this.reading.has(client.installationNo)
    )
  }

  private start(): void {
    this.running ??= runAsService(() => this.run()).finally(() => {
      this.running = undefined
    })
  }

  async stop(): Promise<void> {
    clearTimeout(this.lookingAgain)
    this.behind.clear()
    this.woken.clear()
    for (const { direct } of this.arrived.splice(0)) void direct?.end('waits')
    await this.running
    await this.recordAgain()
  }

  /** Answers which installations still have a live message that was sent and is not noted as such. */
  async recordAgain(): Promise<Set<number>> {
    const again = this.unnoted
    this.unnoted = []
    await Promise.all(again.map((sent) => this.recordLive(sent)))
    return new Set(this.unnoted.map(({ client }) => client.installationNo))
  }

  private async recordLive(sent: SentLive): Promise<void> {
    const { client, messageId, isSent } = sent
    try {
      await recordLiveSent(client.ctx, { messageId, installationNo: client.installationNo, isSent })
      client.inFlightWindow.release(messageId)
    } catch (error) {
      this.log.warn({ err: error }, 'a live message was not noted as sent')
      if (sent.tries < mostTries) this.unnoted.push({ ...sent, tries: sent.tries + 1 })
    }
  }

  private async run(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    while (this.woken.size > 0 || this.arrived.length > 0) {
      try {
        await this.handOver(this.arrived.splice(0))
        await this.bring(this.take())
      } catch (error) {
        if (!isStoreAway(error)) this.log.error({ err: error }, 'inboxes could not be read')
      }
    }
  }

  private take(): Map<number, ClientConnection & { client: Client }> {
    const taken = new Map<number, ClientConnection & { client: Client }>()
    for (const connection of this.woken) {
      if (taken.size === connectionsPerRead) break
      this.woken.delete(connection)
      const { client, transport, stage } = connection
      if (!client || stage !== 'connected') continue
      client.inFlightWindow.mayHaveMore = true
      if (client.inFlightWindow.room > 0 && transport.waitingBytes < fullBytes) {
        taken.set(client.installationNo, connection as ClientConnection & { client: Client })
      }
    }
    return taken
  }

  /** What is arrived is committed. It is looked at again because it may have been stopped since it was prepared. */
  private async handOver(arrivals: InboxArrival[]): Promise<void> {
    if (arrivals.length === 0) return
    const messages = await readFresh({ store: this.store }, groupByMessage(arrivals)).catch((error) => {
      for (const { connection, direct } of arrivals) {
        connection.client.inFlightWindow.mayHaveMore = true
        direct?.end('waits')
      }
      throw error
    })
    if (messages.size > 1) arrivals.sort(byAge)
    for (const { connection, fresh, direct } of arrivals) {
      const message = messages.get(fresh.messageId)
      if (!message || connection.stage !== 'connected' || this.woken.has(connection) || direct?.mayGo() === false) {
        direct?.end('waits')
        continue
      }
      const { client, transport } = connection
      const { installationNo, inFlightWindow } = client
      const { sendable, secondsLeft, changed, behind } = message
      const hasRoom = inFlightWindow.room > 0 && transport.waitingBytes < fullBytes
      const isFirst = !inFlightWindow.mayHaveMore && !behind.has(installationNo)
      if (!sendable || !isFirst || !hasRoom || changed.has(installationNo)) {
        if (!direct?.end('waits')) this.woken.add(connection)
        continue
      }
      const { messageId, userId, deviceType } = fresh
      const whose = { appId: client.ctx.app.id, installationNo, userId, deviceType }
      const asIs = { isLive: false, isForOpenApp: false, isRecalled: false }
      const isSent = this.deliver(connection, { ...whose, messageId, secondsLeft, ...asIs, ...sendable })
      if (direct && isSent) inFlightWindow.addDirect(messageId, direct)
      else direct?.end('waits')
    }
  }

  private async bring(connections: Map<number, ClientConnection & { client: Client }>): Promise<void> {
    if (connections.size === 0) return
    this.reading = connections
    try {
      await this.readAndDeliver(connections)
    } catch (error) {
      for (const { client } of connections.values()) client.inFlightWindow.mayHaveMore = true
      throw error
    } finally {
      this.reading = new Map()
    }
  }

  private async readAndDeliver(connections: Map<number, ClientConnection & { client: Client }>): Promise<void> {
    const asks = [...connections.values()].map(
      ({ client: { ctx, installationNo, userId, inFlightWindow, isOpen } }) => {
        inFlightWindow.mayHaveMore = false
        const { without, clearing, room, connectedAt } = inFlightWindow
        return { appId: ctx.app.id, installationNo, userId, without, clearing, limit: room, connectedAt, isOpen }
      },
    )
    const late = {
      texts: this.late,
      onReady: (installationNo: number) => this.wakeAgain(connections.get(installationNo)),
    }
    const { messages, waiting, behind } = await readInbox(
      { store: this.store, now: this.now, external: this.external },
      asks,
      late,
    )
    const counts = new Map<number, number>()
    for (const message of messages) {
      const { installationNo } = message
      counts.set(installationNo, (counts.get(installationNo) ?? 0) + 1)
      const connection = connections.get(installationNo)
      if (connection?.stage === 'connected') this.deliver(connection, message)
    }
    for (const [index, connection] of [...connections.values()].entries()) {
      const { installationNo, inFlightWindow } = connection.client
      if (waiting.has(installationNo)) inFlightWindow.mayHaveMore = true
      if (behind.has(installationNo)) this.lookAgain(connection)
      if (counts.get(installationNo) !== asks[index]?.limit) {
        if (!inFlightWindow.mayHaveMore) inFlightWindow.wasReadToTheEnd = true
        continue
      }
      inFlightWindow.mayHaveMore = true
      if (inFlightWindow.room > 0) this.woken.add(connection)
    }
  }

  private lookAgain(connection: ClientConnection & { client: Client }): void {
    connection.client.inFlightWindow.mayHaveMore = true
    this.behind.add(connection)
    this.lookingAgain ??= setTimeout(() => {
      this.lookingAgain = undefined
      const behind = [...this.behind]
      this.behind.clear()
      for (const each of behind) this.wakeAgain(each)
    }, lookAgainMs)
  }

  /** Its texts are written, or what it waited behind may be there. */
  private wakeAgain(connection: ClientConnection | undefined): void {
    if (connection?.stage === 'connected') this.wake(connection)
  }

  /** Answers whether it is in flight, to be acknowledged. */
  private deliver(connection: ClientConnection & { client: Client }, message: InboxMessage): boolean {
    const { client, transport, version } = connection
    const { inFlightWindow, ctx } = client
    client.deviceType = message.deviceType
    if (message.isRecalled) {
      this.clear(connection, message)
      return false
    }
    if (inFlightWindow.holds(message.messageId)) return false
    // The app has left the foreground since this was asked for.
    if (message.isForOpenApp && !client.isOpen) return false
    // The installation has been logged in as somebody else: the client comes again under that name.
    if (client.hasOtherUser || message.userId !== client.userId) {
      connection.close('not-authorised')
      return false
    }
    if (transport.waitingBytes >= fullBytes) {
      inFlightWindow.mayHaveMore = true
      return false
    }
    const topic = topicOfMessage(ctx.app.label, client.userId, message.channel)
    const isTooLarge = message.body.length + topic.length + 20 > client.maxPacketBytes
    if (message.isLive) {
      inFlightWindow.hold(message.messageId)
      void this.recordLive({ client, messageId: message.messageId, isSent: !isTooLarge, tries: 1 })
    }
    if (isTooLarge) {
      inFlightWindow.hold(message.messageId)
      return false
    }
    const { packetId, isAgain } = message.isLive ? unnumbered : inFlightWindow.send(message.messageId)
    const expirySeconds = Math.max(1, Math.floor(message.secondsLeft))
    connection.write(writePublish({ version, topic, payload: message.body, packetId, isAgain, expirySeconds }))
    this.metrics.sent.inc()
    if (isTracing()) traceSent(ctx.app.label, message.messageId, isAgain)
    return packetId !== undefined
  }

  /**
   * [client-protocol.md#receiving-messages] The client is to take a recalled message away. It comes after the message,
   * if that is on its way.
   */
  private clear(connection: ClientConnection & { client: Client }, { messageId, body }: InboxMessage): void {
    const { client, transport, version } = connection
    if (transport.waitingBytes >= fullBytes) {
      client.inFlightWindow.mayHaveMore = true
      return
    }
    const packetId = client.inFlightWindow.sendClear(messageId)
    if (packetId === undefined) return
    const topic = topicOfClear(client.ctx.app.label, client.installationId)
    const expirySeconds = clearExpirySeconds
    connection.write(writePublish({ version, topic, payload: body, packetId, isAgain: false, expirySeconds }))
  }
}

/** There is nothing to wait for: what the client answers is a step of its own. */
function traceSent(appLabel: string, messageId: string, isAgain: boolean): void {
  const attributes = { 'peyk.app_id': appLabel, 'peyk.provider': 'connection', 'peyk.again': isAgain }
  startMessageSpan('send connection', messageId, { kind: 'producer', attributes })?.end()
}

/** Who has something waiting is woken by the upkeep later; until its inbox was read, nothing fresh may overtake that. */
function hold({ client }: ClientConnection): void {
  if (client) client.inFlightWindow.mayHaveMore = true
}
