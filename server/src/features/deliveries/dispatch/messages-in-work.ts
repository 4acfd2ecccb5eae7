import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { type AppLook, readAppLooks } from '../../accounts/apps/get-app-look.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'
import type { LeasedWork } from '../../messages/accept/leased-work.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import { compilePush } from '../../messages/payloads/compile-push.ts'
import type { PushMessage } from '../../messages/payloads/compiled-push.ts'
import { rulesOf } from '../hand-over/rules-of-message.ts'
import { neverRefused, refusedAfter } from '../other-user/decided-for.ts'
import { testOf } from '../variants/assign-variant.ts'
import type { BatchRow, MessageInWork } from './held-batch.ts'

interface Row {
  app_id: number
  id: string
  product: Product
  audience: MessageInWork['audience']
  recipients: number
  track_id: string | null
  client_id: string | null
  accepted_at: Date
  expires_at: Date
  is_cancelled: boolean
  is_paused: boolean
  refused_after: number
  body: MessageContent
}

/** A group's batches come again and again; thousands of personal messages a second come once each. */
const keptIdleMs: Record<MessageInWork['audience'], number> = { users: 0, public: 10_000, query: 10_000 }

/**
 * The messages that batches of this process belong to, each read and compiled once. `offset 0` keeps PostgreSQL to one
 * index lookup per message, whatever it believes about the table.
 */
export class MessagesInWork {
  /** Of a message with a local time there is one for each end that it has for some users. */
  private readonly byId = new Map<string, OpenMessage>()
  private readonly database: Database

  constructor(database: Database) {
    this.database = database
  }

  /** Those of batches that are now held. Undefined in the place of a message that is not there any more. */
  async claim(batches: readonly BatchRow[]): Promise<(MessageInWork | undefined)[]> {
    const known = batches.map(({ messageId }) => this.findKept(messageId))
    const missing = new Map(
      batches.flatMap((batch, index) => (known[index] ? [] : [[batch.messageId, batch] as const])),
    )
    const read = missing.size > 0 ? await this.read([...missing.values()]) : undefined
    // While others were read, one that was known may have been let go.
    const found = batches.map(({ messageId }, index) => {
      return this.findKept(messageId) ?? known[index] ?? read?.get(messageId)
    })
    const isLocal = found.some((message) => message?.endingAt)
    const ends = isLocal ? await this.readEnds(batches.filter((_, index) => found[index]?.endingAt)) : undefined
    return batches.map((batch, index) => {
      const message = found[index]
      const end = message?.endingAt && ends?.get(batch.batchNo)
      return message && this.keep(end ? this.endAt(message, end) : message)
    })
  }

  /** The same message for users who have it until this moment. */
  private endAt(message: OpenMessage, end: Date): OpenMessage {
    if (message.audience !== 'users') this.byId.set(message.id, message)
    const own = this.findKept(`${message.id}/${end.getTime()}`) ?? (message.endingAt?.(end) as OpenMessage)
    own.standing = message.standing
    return own
  }

  /** Until when the users of batches have their message, by number of the batch. */
  private async readEnds(batches: readonly BatchRow[]): Promise<Map<number, Date>> {
    const rows = await this.database.query<{ batch_no: number; expires_at: Date }>(
      sql`select b.batch_no, b.expires_at
          from ${unnestRows(batches, 'k', {
            app_id: ['int', ({ appId }) => appId],
            batch_no: ['bigint', ({ batchNo }) => batchNo],
          })}
          join delivery_batches b on b.app_id = k.app_id and b.batch_no = k.batch_no
          where b.expires_at is not null`,
      'read-own-ends',
    )
    return new Map(rows.map((row) => [row.batch_no, row.expires_at]))
  }

  /** That of a batch which was just accepted. */
  claimLeased({ draft, app, recipients }: LeasedWork): MessageInWork {
    const { appId, id, product, trackId, clientId, acceptedAt, expiresAt, body, userChange = neverRefused } = draft
    const known = this.findKept(id)
    if (known) return this.keep(known)
    const stored = { appId, id, product, trackId, clientId, acceptedAt, expiresAt, recipients, body }
    const accepted = { audience: 'users', standing: 'running', refusedAfter: userChange } as const
    return this.keep(openMessage({ ...stored, ...accepted }, app))
  }

  /** How a personal message stands is looked at only while batches of it are held. */
  private findKept(key: string): OpenMessage | undefined {
    const message = this.byId.get(key)
    return message && (message.batches > 0 || message.audience !== 'users') ? message : undefined
  }

  private keep(message: OpenMessage): MessageInWork {
    message.idleSince = performance.now()
    message.batches++
    this.byId.set(message.hasOwnEnd ? `${message.id}/${message.expiresAt.getTime()}` : message.id, message)
    return message
  }

  /** Those to groups that are being sent at this moment. */
  get toGroups(): MessageInWork[] {
    const sent = [...this.byId.values()].filter(({ audience, batches }) => audience !== 'users' && batches > 0)
    return [...new Map(sent.map((message) => [message.id, message])).values()]
  }

  /** Looks again at those that are being sent. Answers whether some of them are cancelled or paused. */
  async refresh(): Promise<boolean> {
    const nowMs = performance.now()
    for (const [key, { audience, batches, idleSince }] of this.byId) {
      if (batches === 0 && nowMs - idleSince >= keptIdleMs[audience]) this.byId.delete(key)
    }
    const messages = [...this.byId.values()]
    if (messages.length === 0) return false
    const stopped = await this.database.query<{ id: string; is_cancelled: boolean }>(
      sql`select m.id, m.cancelled_at is not null as is_cancelled
          from ${unnestRows(messages, 'k', { app_id: ['int', ({ appId }) => appId], id: ['uuid', ({ id }) => id] })}
          cross join lateral (select * from messages where app_id = k.app_id and id = k.id offset 0) m
          where m.cancelled_at is not null or m.paused_at is not null or k.app_id = any (${stoppedApps})`,
      'read-stopped-messages',
    )
    const standings = new Map(
      stopped.map(({ id, is_cancelled }) => [id, is_cancelled ? 'cancelled' : 'paused'] as const),
    )
    for (const message of messages) message.standing = standings.get(message.id) ?? 'running'
    return standings.size > 0
  }

  private async read(batches: readonly BatchRow[]): Promise<Map<string, OpenMessage>> {
    const rows = await this.database.query<Row>(
      sql`select m.app_id, m.id, m.product, m.audience, m.recipients, m.track_id, m.client_id, m.accepted_at,
            case when m.body->'live' is not null and m.accepted_at < a.resumed_at then m.accepted_at else m.expires_at end as expires_at,
            m.cancelled_at is not null as is_cancelled, m.paused_at is not null or a.stopped_at is not null as is_paused,
            ${refusedAfter}::bigint as refused_after, m.body
          from ${unnestRows(batches, 'k', {
            app_id: ['int', ({ appId }) => appId],
            id: ['uuid', ({ messageId }) => messageId],
          })}
          cross join lateral (select * from messages where app_id = k.app_id and id = k.id offset 0) m
          join apps a on a.app_id = k.app_id`,
      'read-messages-in-work',
    )
    const apps = await readAppLooks(
      this.database,
      rows.map((row) => row.app_id),
    )
    return new Map(
      rows.flatMap((row) => {
        const app = apps.get(row.app_id)
        return app ? [[row.id, openMessage(readMessage(row), app)] as const] : []
      }),
    )
  }
}

interface OpenMessage extends MessageInWork {
  /** Only of one with a local time: what it is for users who have it until then. */
  endingAt?: (end: Date) => OpenMessage
}

type StoredMessage = Omit<PushMessage, 'content'> &
  Pick<MessageInWork, 'appId' | 'audience' | 'recipients' | 'standing' | 'refusedAfter'> & { body: MessageContent }

function readMessage(row: Row): StoredMessage {
  return {
    appId: row.app_id,
    id: row.id,
    product: row.product,
    audience: row.audience,
    recipients: row.recipients,
    trackId: row.track_id ?? undefined,
    clientId: row.client_id ?? undefined,
    acceptedAt: row.accepted_at,
    expiresAt: row.expires_at,
    refusedAfter: row.refused_after,
    standing: row.is_cancelled ? 'cancelled' : row.is_paused ? 'paused' : 'running',
    body: row.body,
  }
}

function openMessage(stored: StoredMessage, app: AppLook): OpenMessage {
  const { acceptedAt, body, ...message } = stored
  const { label, ...look } = app
  const { id, product, trackId, clientId, expiresAt } = message
  const { silent = false, inApp = false, live = false, autoNotify = false } = body
  return {
    ...message,
    appLabel: label,
    flags: { product, silent, inApp, live, autoNotify },
    hasFallback: body.fallback !== undefined,
    isPaced: body.throttle !== undefined,
    rules: rulesOf(body, expiresAt),
    test: testOf(body),
    compiled: compilePush({ id, product, trackId, clientId, acceptedAt, expiresAt, content: body }, look),
    batches: 0,
    idleSince: performance.now(),
    ...(body.localTime && {
      endingAt: (end: Date): OpenMessage => ({ ...openMessage({ ...stored, expiresAt: end }, app), hasOwnEnd: true }),
    }),
  }
}
