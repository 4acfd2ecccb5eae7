import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import type { Context } from '../../server/src/base/context.ts'
import type { FaultRule } from '../../simulator/src/providers/fault-rule.ts'
import type { Providers } from '../../simulator/src/providers/start-providers.ts'
import {
  clientIdOf,
  connectClient,
  type createConnectionServerForTest,
  type TestClient,
} from '../helpers/connection.ts'
import { createTestToken } from '../helpers/database/test-store.ts'
import { createSimulatedSending } from '../helpers/delivery.ts'
import { until } from '../helpers/runner/until.ts'
import { caller } from '../helpers/service/test-server.ts'

type Server = Awaited<ReturnType<typeof createConnectionServerForTest>>

/** An app with a sender, and so a breaker, of its own. */
interface Tenant {
  ctx: Context
  clientKey: string
  call: ReturnType<typeof caller>
  callAsClient: ReturnType<typeof caller>
}

export interface World {
  server: Server
  providers: Providers
  tenants: Tenant[]
  phones: number
  faults: FaultRule[]
}

const appCount = 12
/** The others have come to an end by then. */
const mostFaults = 5

export async function openWorld(server: Server): Promise<World> {
  const { apps, providers } = await createSimulatedSending(server.store, appCount)
  const tenants = await Promise.all(
    apps.map(async (ctx) => {
      const [token, clientKey] = [await createTestToken(ctx), await createTestToken(ctx, ['client'])]
      return { ctx, clientKey, call: caller(server.baseUrl, token), callAsClient: caller(server.baseUrl, clientKey) }
    }),
  )
  return { server, providers, tenants, phones: 0, faults: [] }
}

/** Who may have had the phone when a message was accepted, as times in which the model knows a user to be there. */
interface Ownership {
  userId: string
  isGuest: boolean
  /** Asked for and acknowledged: the user came in between. */
  askedAt: number
  acknowledgedAt: number
}

type Kind = 'personal' | 'by-user' | 'by-device' | 'written-for-user' | 'public'

interface Sent {
  id: string
  kind: Kind
  /** The user whom the message names. */
  userId: string | undefined
  askedAt: number
  answeredAt: number
}

/** A line of the history, printed when it fails. */
export interface Action {
  at: number
  what: string
}

/** What the commands need to know. */
export interface DeviceModel {
  isGuest: boolean
  isConnected: boolean
}

const users = ['A', 'B', 'C'] as const
/** [choice 281] From the acknowledgement of a login on, no request to a provider starts later than this. */
const promisedMs = 1_000
/** Between the server's writing and the reading of a client or of the simulator, on a busy machine. */
const slackMs = 1_500

export class SharedPhone {
  readonly actions: Action[] = []
  private readonly world: World
  private readonly tenant: Tenant
  private readonly key = randomUUID().slice(0, 8)
  private readonly token: string | undefined
  private readonly owners: Ownership[] = []
  private readonly sent: Sent[] = []
  private readonly sessions: {
    userId: string
    client: TestClient
    arrivals: { id: string; content: string; at: number }[]
  }[] = []
  private id = ''

  private constructor(world: World, hasToken: boolean) {
    this.world = world
    this.tenant = world.tenants[world.phones++ % world.tenants.length] as Tenant
    this.token = hasToken ? (world.providers.tokens.issue('fcm') as string) : undefined
  }

  static async register(world: World, hasToken: boolean): Promise<SharedPhone> {
    const phone = new SharedPhone(world, hasToken)
    const askedAt = Date.now()
    const body = { deviceType: 'android', subscriptions: [`public/${phone.key}`] }
    const { status, body: made } = await phone.tenant.callAsClient('POST', '/api/installations', {
      ...body,
      ...(phone.token !== undefined && { deviceToken: phone.token }),
    })
    if (status !== 200) throw new Error(`registering failed: ${JSON.stringify(made)}`)
    phone.id = made.id
    phone.owners.push({ userId: made.userId, isGuest: true, askedAt, acknowledgedAt: Date.now() })
    return phone
  }

  firstModel(): DeviceModel {
    return { isGuest: true, isConnected: false }
  }

  private note(what: string): void {
    this.actions.push({ at: Date.now(), what })
  }

  private get owner(): Ownership {
    return this.owners.at(-1) as Ownership
  }

  private userId(user: string): string {
    return `${user}-${this.key}`
  }

  async logIn(user: string): Promise<void> {
    this.note(`log in as ${user}`)
    await this.change({ userId: this.userId(user), isGuest: false })
  }

  async logOut(): Promise<void> {
    this.note('log out')
    await this.change({ isGuest: true })
  }

  private async change(body: { userId?: string; isGuest: boolean }): Promise<void> {
    const askedAt = Date.now()
    const { status, body: now } = await this.tenant.callAsClient('PUT', `/api/installations/${this.id}`, body)
    if (status !== 200) throw new Error(`a change of user failed: ${JSON.stringify(now)}`)
    if (now.userId === this.owner.userId) return
    this.owners.push({ userId: now.userId, isGuest: body.isGuest, askedAt, acknowledgedAt: Date.now() })
  }

  async send(kind: Kind, user: string): Promise<void> {
    this.note(`send ${kind}${kind === 'by-user' || kind === 'personal' ? ` to ${user}` : ''}`)
    const userId = kind === 'by-user' || kind === 'personal' ? this.userId(user) : undefined
    const notification = { title: 'Hello' }
    const [path, body] = {
      personal: ['toUsers', { user: userId, content: 'plain' }],
      'by-user': ['byQuery', { target: { userId }, content: 'plain' }],
      'by-device': ['byQuery', { target: { id: this.id }, content: 'plain' }],
      'written-for-user': ['byQuery', { target: { id: this.id }, content: 'for {{ user.id }}' }],
      public: ['toUsers', { user: '*', channel: `public/${this.key}`, content: 'plain' }],
    }[kind] as [string, object]
    const askedAt = Date.now()
    const answer = await this.tenant.call('POST', `/api/push/${path}`, { ...body, notification })
    if (answer.status !== 200) throw new Error(`a send failed: ${JSON.stringify(answer.body)}`)
    this.sent.push({ id: answer.body.id, kind, userId, askedAt, answeredAt: Date.now() })
  }

  /** The library connects under the name of the user it knows. */
  async connect(): Promise<void> {
    const { userId } = this.owner
    this.note(`connect as ${userId}`)
    const clientId = clientIdOf(this.tenant.ctx, { id: this.id, userId })
    const client = await connectClient(this.world.server.tcpUrl, { clientId, key: this.tenant.clientKey })
    const session = { userId, client, arrivals: [] as { id: string; content: string; at: number }[] }
    const keep = ({ id, content }: Record<string, unknown>) =>
      session.arrivals.push({ id: String(id), content: String(content), at: Date.now() })
    for (const { body } of client.received) keep(body)
    client.on('message', (_topic, payload) => keep(JSON.parse(payload.toString())))
    this.sessions.push(session)
  }

  async disconnect(): Promise<void> {
    this.note('disconnect')
    await Promise.all(this.sessions.map(({ client }) => client.endAsync(true)))
  }

  /** FCM wants to be asked later, or closes without an answer. */
  fail(how: 'later' | 'silent'): void {
    if (this.token === undefined) return
    this.note(`FCM fails: ${how}`)
    const { world, token } = this
    world.faults = [{ ...faults[how], match: { token, first: 1 } }, ...world.faults].slice(0, mostFaults)
    world.providers.faults.set('fcm', world.faults)
  }

  /** The users for whom a message may have been decided: it is one, unless a login was under way. */
  private ownersAt({ askedAt, answeredAt }: Sent): Ownership[] {
    return this.owners.filter((each, index) => {
      const next = this.owners[index + 1]
      return each.askedAt <= answeredAt && (next === undefined || next.acknowledgedAt >= askedAt)
    })
  }

  /** Whether the phone has gone from the one to the other without passing on from a registered user. */
  private isHandedDown(from: Ownership, to: Ownership): boolean {
    const between = this.owners.slice(this.owners.indexOf(from), this.owners.indexOf(to))
    return this.owners.indexOf(from) <= this.owners.indexOf(to) && between.every(({ isGuest }) => isGuest)
  }

  private isAllowed(sent: Sent, to: Ownership): boolean {
    if (sent.kind === 'public') return true
    if (sent.userId !== undefined && to.userId === sent.userId) return true
    const decidedFor = this.ownersAt(sent).filter(({ userId }) => sent.userId === undefined || userId === sent.userId)
    return decidedFor.some((from) => from.userId === to.userId || this.isHandedDown(from, to))
  }

  /** Compares all that happened with the model, when the last user has connected and got what is theirs. */
  async judge(patienceMs: number): Promise<{ arrivals: number; pushes: number; lateButWritten: number }> {
    await this.disconnect()
    await this.connect()
    const last = this.owner
    const due = this.sent.filter((sent) => this.isDue(sent, last)).map(({ id }) => id)
    await until(
      () => this.listMissing(due),
      (missing) => missing.length === 0,
      patienceMs,
    )
    // What waits for a provider has its end by then, or is pushed and seen below.
    await until(
      () => this.countOpen(),
      (count) => count === 0,
      patienceMs,
    )
    const arrivals = this.judgeArrivals()
    const { pushes, lateButWritten } = this.judgePushes()
    await this.disconnect()
    return { arrivals, pushes, lateButWritten }
  }

  /** Whether FCM, which was silent twice, has it, nobody can know: such a message is not in the inbox. */
  private async listMissing(due: readonly string[]): Promise<string[]> {
    const there = new Set(this.sessions.flatMap(({ arrivals }) => arrivals.map(({ id }) => id)))
    const left = due.filter((id) => !there.has(id))
    if (left.length === 0) return []
    const { store, app } = this.tenant.ctx
    const stored = await store.query<{ message_id: string; state: string; reason: string | null }>(sql`
      select message_id, state, reason from deliveries
      where app_id = ${app.id} and message_id = any(${left}::uuid[])`)
    const standing = new Map(stored.map(({ message_id, state, reason }) => [message_id, reason ?? state]))
    return left.flatMap((id) => (standing.get(id) === 'unknown' ? [] : [`${id}: ${standing.get(id)}`]))
  }

  private async countOpen(): Promise<number> {
    const { store, app } = this.tenant.ctx
    const [row] = await store.query<{ count: number }>(sql`
      select count(*) as count from delivery_batches
      where app_id = ${app.id} and message_id = any(${this.sent.map(({ id }) => id)}::uuid[])`)
    return row?.count ?? 0
  }

  /** It was certainly decided for the last user, who has had the phone since. */
  private isDue(sent: Sent, last: Ownership): boolean {
    if (sent.kind === 'public') return true
    const owners = this.ownersAt(sent)
    const isLast = (owner: Ownership) => owner === last || (owner.isGuest && this.isHandedDown(owner, last))
    if (!owners.every(isLast)) return false
    if (sent.userId === undefined) return true
    // A rule or a name that does not hold for the user has no delivery.
    return owners.every(({ userId }) => userId === sent.userId)
  }

  private judgeArrivals(): number {
    let count = 0
    for (const { userId, arrivals } of this.sessions) {
      for (const { id, content, at } of arrivals) {
        const sent = this.sent.find((each) => each.id === id)
        if (!sent) continue
        count++
        const to = this.owners.findLast((each) => each.userId === userId && each.askedAt <= at) as Ownership
        if (!this.isAllowed(sent, to)) throw new Error(`${sent.kind} ${id} came to ${userId}`)
        const readers = [userId, ...this.ownersAt(sent).map((owner) => owner.userId)]
        if (sent.kind === 'written-for-user' && !readers.some((reader) => content === `for ${reader}`))
          throw new Error(`${id} came to ${userId} as ${JSON.stringify(content)}`)
        const next = this.owners[this.owners.indexOf(to) + 1]
        if (next && !this.isAllowed(sent, next) && at > next.acknowledgedAt + slackMs)
          throw new Error(`${sent.kind} ${id} came over the connection of ${userId} after ${next.userId} had logged in`)
      }
    }
    return count
  }

  private judgePushes(): { pushes: number; lateButWritten: number } {
    let lateButWritten = 0
    const pushes = this.sent.flatMap(({ id }) => this.world.providers.record.list({ messageId: id }))
    for (const { messageId, at } of pushes) {
      const sent = this.sent.find(({ id }) => id === messageId)
      if (!sent) continue
      const changes = this.owners.filter((owner) => owner.acknowledgedAt < at && !this.isAllowed(sent, owner))
      const [first] = changes.filter((owner) => owner.acknowledgedAt >= sent.askedAt)
      if (!first || this.isAllowed(sent, this.owners.findLast(({ askedAt }) => askedAt <= at) as Ownership)) continue
      if (at > first.acknowledgedAt + promisedMs + slackMs)
        throw new Error(
          `${sent.kind} ${messageId} was pushed ${at - first.acknowledgedAt} ms after ${first.userId} had logged in`,
        )
      lateButWritten++
    }
    return { pushes: pushes.length, lateButWritten }
  }
}

const faults: Record<'later' | 'silent', FaultRule> = {
  later: { status: 503, retryAfter: 3 },
  // biome-ignore lint/suspicious/noThenProperty: the simulator's name for it
  silent: { then: 'reset' },
}

type Command = fc.AsyncCommand<DeviceModel, SharedPhone, true>

function command(
  text: string,
  run: (phone: SharedPhone, model: DeviceModel) => Promise<void>,
  check: (model: Readonly<DeviceModel>) => boolean = () => true,
): Command {
  return { toString: () => text, check: async (model) => check(model), run: (model, phone) => run(phone, model) }
}

const user = fc.constantFrom(...users)
const kind = fc.constantFrom<Kind>('personal', 'by-user', 'by-device', 'by-device', 'written-for-user', 'public')

/** What may happen to a phone, the usual things more often. */
export const historyCommands: fc.Arbitrary<Command>[] = [
  fc.tuple(kind, user).map(([what, who]) => command(`send(${what},${who})`, (phone) => phone.send(what, who))),
  fc.tuple(kind, user).map(([what, who]) => command(`send(${what},${who})`, (phone) => phone.send(what, who))),
  user.map((who) =>
    command(`logIn(${who})`, async (phone, model) => {
      model.isGuest = false
      await phone.logIn(who)
    }),
  ),
  fc.constant(
    command(
      'logOut()',
      async (phone, model) => {
        model.isGuest = true
        await phone.logOut()
      },
      ({ isGuest }) => !isGuest,
    ),
  ),
  fc.tuple(kind, user, user).map(([what, to, who]) =>
    command(`sendDuringLogin(${what},${to},${who})`, async (phone, model) => {
      model.isGuest = false
      await Promise.all([phone.send(what, to), phone.logIn(who), phone.send(what, who)])
    }),
  ),
  fc.constant(
    command(
      'connect()',
      async (phone, model) => {
        model.isConnected = true
        await phone.connect()
      },
      ({ isConnected }) => !isConnected,
    ),
  ),
  fc.constant(
    command(
      'disconnect()',
      async (phone, model) => {
        model.isConnected = false
        await phone.disconnect()
      },
      ({ isConnected }) => isConnected,
    ),
  ),
  fc
    .constantFrom('later' as const, 'silent' as const)
    .map((how) => command(`fail(${how})`, async (phone) => phone.fail(how))),
]
