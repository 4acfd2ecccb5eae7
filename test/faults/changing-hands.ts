import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { Context } from '@peyk/server/base/context.ts'
import { changeApp } from '@peyk/server/features/accounts/apps/change-app.ts'
import { createCategory } from '@peyk/server/features/categories/create-category.ts'
import { replaceGlobalCodes } from '@peyk/server/features/promo/replace-global-codes.ts'
import type { FaultRule } from '@peyk/simulator/providers/fault-rule.ts'
import type { Providers } from '@peyk/simulator/providers/start-providers.ts'
import fc from 'fast-check'
import sql from 'sql-template-tag'
import {
  clientIdOf,
  connectClient,
  type createConnectionServerForTest,
  type openConnectionServer,
  type TestClient,
} from '../helpers/connection.ts'
import { createTestToken } from '../helpers/database/test-store.ts'
import { createSimulatedSending } from '../helpers/delivery.ts'
import { until } from '../helpers/runner/until.ts'
import { caller } from '../helpers/service/test-server.ts'

type Server = Awaited<ReturnType<typeof createConnectionServerForTest>>
type OtherServer = Awaited<ReturnType<typeof openConnectionServer>>
type Caller = ReturnType<typeof caller>

/** An app with a sender, and so a breaker, of its own. */
interface Tenant {
  ctx: Context
  clientKey: string
  call: Caller
  /** By each of the processes. */
  callsAsClient: [Caller, Caller]
}

export interface World {
  tcpUrls: [string, string]
  providers: Providers
  tenants: Tenant[]
  phones: number
  faults: FaultRule[]
}

const appCount = 12
/** More than a history of each phone of an app can use. */
const codeCount = 10_000
/** The others have come to an end by then. */
const mostFaults = 5

/** Two processes serve the phones; the first one sends. */
export async function openWorld(server: Server, other: OtherServer): Promise<World> {
  const { apps, providers } = await createSimulatedSending(server.store, appCount)
  const tenants = await Promise.all(
    apps.map(async (ctx): Promise<Tenant> => {
      const [token, clientKey] = [await createTestToken(ctx), await createTestToken(ctx, ['client'])]
      await createCategory(ctx, { id: 'ads', name: { en: 'Ads' } })
      await changeApp(ctx, { caps: [{ count: 100, window: '24h' }] })
      const codes = Array.from({ length: codeCount }, (_, index) => `C-${index}\n`)
      await replaceGlobalCodes(ctx, { file: Readable.from(codes) })
      return {
        ctx,
        clientKey,
        call: caller(server.baseUrl, token),
        callsAsClient: [caller(server.baseUrl, clientKey), caller(other.baseUrl, clientKey)],
      }
    }),
  )
  return { tcpUrls: [server.tcpUrl, other.tcpUrl], providers, tenants, phones: 0, faults: [] }
}

/** Who may have had the phone when a message was accepted, as times in which the model knows a user to be there. */
interface Ownership {
  userId: string
  installationId: string
  isGuest: boolean
  /** Asked for and acknowledged: the user came in between. */
  askedAt: number
  acknowledgedAt: number
}

type Kind = 'personal' | 'by-user' | 'by-device' | 'throttled' | 'written-for-user' | 'code' | 'capped' | 'public'
const kindsToUsers: readonly Kind[] = ['personal', 'by-user']

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
/**
 * [sending.md#a-device-that-changes-users] From the acknowledgement of a login on, no request to a provider starts
 * later than this.
 */
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
    installationId: string
    client: TestClient
    arrivals: { id: string; content: string; at: number }[]
  }[] = []
  private id = ''
  private calls = 0

  private constructor(world: World, hasToken: boolean) {
    this.world = world
    this.tenant = world.tenants[world.phones++ % world.tenants.length] as Tenant
    this.calls = world.phones
    this.token = hasToken ? (world.providers.tokens.issue('fcm') as string) : undefined
  }

  static async register(world: World, hasToken: boolean): Promise<SharedPhone> {
    const phone = new SharedPhone(world, hasToken)
    await phone.install()
    return phone
  }

  private async install(user?: string): Promise<void> {
    const askedAt = Date.now()
    const made = await this.callAsClient('POST', '/api/installations', {
      deviceType: 'android',
      subscriptions: [`public/${this.key}`],
      ...(user !== undefined && { userId: this.userId(user), isGuest: false }),
      ...(this.token !== undefined && { deviceToken: this.token }),
    })
    this.id = made.id
    const { userId, id: installationId } = made
    this.owners.push({ userId, installationId, isGuest: user === undefined, askedAt, acknowledgedAt: Date.now() })
  }

  /** By one process and the other in turn. */
  private async callAsClient(method: string, path: string, body: object) {
    const call = this.tenant.callsAsClient[this.calls++ % 2] as Caller
    const answer = await call(method, path, body)
    if (answer.status !== 200) throw new Error(`${method} ${path} failed: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  /** The app is installed anew: another installation with the same push token. */
  async reinstall(user?: string): Promise<void> {
    this.note(`reinstall as ${user ?? 'a guest'}`)
    await this.leave()
    await this.install(user)
  }

  /** The back end deletes the data of a user. The app of one whose installation is gone registers again. */
  async deleteUser(user: string): Promise<void> {
    this.note(`delete ${user}`)
    const userId = this.userId(user)
    const isHere = this.owner.userId === userId
    if (isHere) await this.leave()
    const { status, body } = await this.tenant.call('DELETE', `/api/users/${userId}`)
    if (status !== 200 && status !== 404) throw new Error(`a deletion failed: ${JSON.stringify(body)}`)
    if (isHere) await this.install()
  }

  get model(): DeviceModel {
    const isConnected = this.sessions.some(({ client }) => client.connected)
    return { isGuest: this.owner.isGuest, isConnected }
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
    const { userId } = await this.callAsClient('PUT', `/api/installations/${this.id}`, body)
    if (userId === this.owner.userId) return
    const { isGuest } = body
    this.owners.push({ userId, installationId: this.id, isGuest, askedAt, acknowledgedAt: Date.now() })
  }

  async send(kind: Kind, user: string): Promise<void> {
    const userId = kindsToUsers.includes(kind) ? this.userId(user) : undefined
    this.note(`send ${kind}${userId === undefined ? '' : ` to ${userId}`}`)
    const notification = { title: 'Hello' }
    const [path, body] = {
      personal: ['toUsers', { user: userId, content: 'plain' }],
      'by-user': ['byQuery', { target: { userId }, content: 'plain' }],
      'by-device': ['byQuery', { target: { id: this.id }, content: 'plain' }],
      throttled: ['byQuery', { target: { id: this.id }, content: 'plain', throttle: { perMinute: 60 } }],
      'written-for-user': ['byQuery', { target: { id: this.id }, content: 'for {{ user.id }}' }],
      code: ['byQuery', { target: { id: this.id }, content: '{{ promoCode }}' }],
      capped: ['byQuery', { target: { id: this.id }, content: 'plain', category: 'ads' }],
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
    const url = this.world.tcpUrls[this.calls++ % 2] as string
    const client = await connectClient(url, { clientId, key: this.tenant.clientKey })
    const session = {
      userId,
      installationId: this.id,
      client,
      arrivals: [] as { id: string; content: string; at: number }[],
    }
    const keep = ({ id, content }: Record<string, unknown>) =>
      session.arrivals.push({ id: String(id), content: String(content), at: Date.now() })
    for (const { body } of client.received) keep(body)
    client.on('message', (_topic, payload) => keep(JSON.parse(payload.toString())))
    this.sessions.push(session)
  }

  async disconnect(): Promise<void> {
    this.note('disconnect')
    await this.leave()
  }

  private async leave(): Promise<void> {
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

  /** Whether the installation has gone from the one to the other without passing on from a registered user. */
  private isHandedDown(from: Ownership, to: Ownership): boolean {
    if (from.installationId !== to.installationId) return false
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
  async judge(patienceMs: number): Promise<Counts> {
    await this.leave()
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
    await this.leave()
    const refused = await this.judgeRefused(patienceMs)
    return { arrivals, pushes, lateButWritten, refused }
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
    const owners = this.ownersAt(sent)
    if (owners.some(({ installationId }) => installationId !== last.installationId)) return false
    if (sent.kind === 'public') return true
    const isLast = (owner: Ownership) => owner === last || (owner.isGuest && this.isHandedDown(owner, last))
    if (!owners.every(isLast)) return false
    if (sent.userId === undefined) return true
    // A rule or a name that does not hold for the user has no delivery.
    return owners.every(({ userId }) => userId === sent.userId)
  }

  private judgeArrivals(): number {
    let count = 0
    const codes = new Map<string, Ownership>()
    for (const { userId, installationId, arrivals } of this.sessions) {
      const owners = this.owners.filter((each) => each.installationId === installationId)
      for (const { id, content, at } of arrivals) {
        const sent = this.sent.find((each) => each.id === id)
        if (!sent) continue
        count++
        const to = owners.findLast((each) => each.userId === userId && each.askedAt <= at) as Ownership
        if (!this.isAllowed(sent, to)) throw new Error(`${sent.kind} ${id} came to ${userId}`)
        const readers = [userId, ...this.ownersAt(sent).map((owner) => owner.userId)]
        if (sent.kind === 'written-for-user' && !readers.some((reader) => content === `for ${reader}`))
          throw new Error(`${id} came to ${userId} as ${JSON.stringify(content)}`)
        if (sent.kind === 'code') {
          const shown = codes.get(content)
          if (content === '') throw new Error(`${id} came to ${userId} without a code`)
          if (shown && shown.userId !== userId && !this.isHandedDown(shown, to))
            throw new Error(`the code ${content} of ${shown.userId} came to ${userId}`)
          codes.set(content, to)
        }
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

  /** What was taken for deliveries that are refused is free again, where nobody can have seen them. */
  private async judgeRefused(patienceMs: number): Promise<number> {
    const { store, app } = this.tenant.ctx
    const isPushed = ({ id }: Sent) => this.world.providers.record.list({ messageId: id }).length > 0
    const unseen = this.sent.filter((sent) => !isPushed(sent)).map(({ id }) => id)
    const refused = sql`
      select message_id from deliveries
      where app_id = ${app.id} and message_id = any(${unseen}::uuid[]) and detail_code = 'other-user'`
    const listTaken = () =>
      store.query<{ message_id: string; what: string }>(sql`
        select message_id, 'a code' as what from promo_given
        where app_id = ${app.id} and message_id in (${refused}) and shown_at is null
        union all
        select r.message_id, 'a place in a cap' from recent_hand_overs h, (${refused}) r
        where h.app_id = ${app.id} and r.message_id = any(h.message_ids)`)
    await until(listTaken, (taken) => taken.length === 0, patienceMs)
    return (await store.query(refused)).length
  }
}

interface Counts {
  arrivals: number
  pushes: number
  lateButWritten: number
  refused: number
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
const kind = fc.constantFrom<Kind>(
  ...([
    'personal',
    'by-user',
    'by-device',
    'by-device',
    'throttled',
    'written-for-user',
    'code',
    'capped',
    'public',
  ] as const),
)

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
  fc.option(user).map((who) =>
    command(`reinstall(${who})`, async (phone, model) => {
      model.isGuest = who === null
      model.isConnected = false
      await phone.reinstall(who ?? undefined)
    }),
  ),
  user.map((who) =>
    command(`deleteUser(${who})`, async (phone, model) => {
      await phone.deleteUser(who)
      Object.assign(model, phone.model)
    }),
  ),
  fc
    .constantFrom('later' as const, 'silent' as const)
    .map((how) => command(`fail(${how})`, async (phone) => phone.fail(how))),
]
