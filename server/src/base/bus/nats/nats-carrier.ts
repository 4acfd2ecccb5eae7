import type { NatsConnection, Subscription } from '@nats-io/transport-node'
import { type Carrier, type OnTold, readTold, type Told, writeTold } from '../carrier.ts'

const queue = 'one'
/** An answer of the server takes less, or it hangs. */
export const usualAnswerMs = 1_000

/**
 * By NATS: what concerns one process comes to it alone, what concerns a topic to those who follow it. It is connected by
 * open-nats.ts, and again when it was lost.
 */
export class NatsCarrier implements Carrier {
  private readonly id: string
  private readonly onTold: OnTold
  private readonly answerMs: number
  private readonly followed = new Map<string, { byOne: boolean }>()
  private readonly subscriptions = new Map<string, Subscription>()
  private connection: NatsConnection | undefined
  private prefix = ''
  private sessions = 0
  isConnected = false
  /** A server that does not answer is not told more until it does. */
  private isSilent = false

  constructor(id: string, onTold: OnTold, answerMs: number) {
    this.id = id
    this.onTold = onTold
    this.answerMs = answerMs
  }

  get hearing(): number | undefined {
    return this.isConnected && !this.isSilent ? this.sessions : undefined
  }

  /** A connection that is open; the library subscribes again by itself when it was lost in between. */
  use(connection: NatsConnection, prefix: string): void {
    this.connection = connection
    this.prefix = prefix
    this.subscriptions.clear()
    this.connection.subscribe(`${prefix}.to.${this.id}`, { callback: (_error, message) => this.receive(message) })
    for (const [topic, options] of this.followed) this.subscribe(topic, options)
    this.noteConnected()
  }

  noteConnected(): void {
    this.isConnected = true
    this.isSilent = false
    this.sessions++
  }

  noteLost(): void {
    this.isConnected = false
  }

  follow(topic: string, options: { byOne: boolean }): void {
    this.followed.set(topic, options)
    if (this.connection) this.subscribe(topic, options)
  }

  unfollow(topic: string): void {
    this.followed.delete(topic)
    this.subscriptions.get(topic)?.unsubscribe()
    this.subscriptions.delete(topic)
  }

  async send(told: readonly Told[]): Promise<readonly Told[]> {
    const { connection } = this
    if (!connection || this.hearing === undefined) return told
    const left: Told[] = []
    const most = connection.info?.max_payload ?? 0
    for (const each of told) {
      const bytes = Buffer.from(writeTold(each))
      if (bytes.length > most || connection.isClosed()) left.push(each)
      else connection.publish(this.subjectOf(each), bytes)
    }
    if (left.length < told.length) await this.waitForAnswer(connection)
    return left
  }

  private async waitForAnswer(connection: NatsConnection): Promise<void> {
    const { promise: late, resolve } = Promise.withResolvers<'late'>()
    const timer = setTimeout(() => resolve('late'), this.answerMs)
    const answered = connection.flush().then(
      () => {
        if (this.isSilent) this.noteConnected()
      },
      () => undefined,
    )
    if ((await Promise.race([answered, late])) === 'late') this.isSilent = true
    clearTimeout(timer)
  }

  private subscribe(topic: string, { byOne }: { byOne: boolean }): void {
    const subscription = this.connection?.subscribe(this.subjectOf({ topic }), {
      ...(byOne && { queue }),
      callback: (_error, message) => this.receive(message),
    })
    if (subscription) this.subscriptions.set(topic, subscription)
  }

  /** The topic is in the message, too: in a subject not every character may be. */
  private subjectOf({ topic, to }: Pick<Told, 'topic'> & { to?: string | undefined }): string {
    return to === undefined ? `${this.prefix}.all.${topic.replace(/[^\w-]/g, '_')}` : `${this.prefix}.to.${to}`
  }

  private receive(message: { string(): string } | null): void {
    if (message) readTold(message.string(), this.onTold)
  }
}
