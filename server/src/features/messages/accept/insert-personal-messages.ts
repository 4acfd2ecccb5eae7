import sql, { empty, type Sql } from 'sql-template-tag'
import { endOf } from '#base/lease.ts'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { AppLook } from '../../accounts/apps/get-app-look.ts'
import { stoppedApps } from '../../accounts/apps/stop-store.ts'
import type { Reach } from '../../installations/read/reach.ts'
import { countedRecipients } from './counted-recipients.ts'
import type { Receivers } from './find-receivers.ts'
import type { LeasedWork, LeaseOffer } from './leased-work.ts'
import type { NamedDraft } from './named-draft.ts'
import { leavePacedBatches } from './paced-work.ts'

const installationsPerBatch = 500

/** All null where nothing has a lease. */
interface Leased {
  message_id: string | null
  batch_no: number | null
  first_no: number | null
}

interface Batch {
  draft: NamedDraft
  recipients: number
  numbers: number[]
  reaches: Reach[]
}

/** Else nothing is stored. */
const isOpen = sql`(select is_open from gate)`

interface Given {
  /** Work is stored with its lease. */
  offer?: LeaseOffer | undefined
  /** Those of the drafts, for work that is stored with a lease. */
  looks?: ReadonlyMap<number, AppLook>
  /** Nothing is stored when a user was deleted since. */
  begunSince?: Date
}

/**
 * Stores messages to named users with the work they leave for deliveries. An installation outside the message's
 * channel has its delivery ended here. Answers the work that has a lease; undefined when nothing was stored.
 */
export async function insertPersonalMessages(
  db: Database,
  drafts: readonly NamedDraft[],
  receivers: readonly Receivers[],
  { offer, looks, begunSince }: Given = {},
): Promise<LeasedWork[] | undefined> {
  const named = drafts.flatMap(({ appId, id, userIds }) => userIds.map((userId) => ({ appId, id, userId })))
  const all = drafts.flatMap((draft, index) => cutIntoBatches(draft, receivers[index] as Receivers))
  const paced = all.filter(({ draft }) => draft.body.throttle)
  const batches = paced.length > 0 ? all.filter(({ draft }) => !draft.body.throttle) : all
  const refused = endRefused(drafts, receivers)
  const counted = countRefused(drafts, receivers)
  const fallbacks = leaveFallbacks(drafts)
  const pacedWork = leavePacedBatches(paced, isOpen)
  const areShared = drafts.some(({ userChange }) => userChange !== undefined)
  const whenShared = areShared ? sql`, user_change` : empty
  const rows = await db.query<Leased & { is_open: boolean }>(
    sql`
      with gate as materialized (
        select not exists (select from forgotten_users where forgotten_at >= ${begunSince?.toISOString() ?? 'infinity'}::timestamptz) as is_open
      ), named as (
        insert into message_users (app_id, message_id, user_id)
        select * from ${unnestRows(named, 'n', {
          app_id: ['int', (user) => user.appId],
          message_id: ['uuid', (user) => user.id],
          user_id: ['text', (user) => user.userId],
        })}
        where ${isOpen}
      ), queued as (
        insert into delivery_batches (app_id, message_id, lane, installation_nos, expires_at, attempts, lease_holder, available_at)
        select app_id, message_id, 'personal', numbers::bigint[], expires_at, is_leased::int,
          case when is_leased then ${offer?.lease.holder ?? null}::uuid end,
          case when is_leased then ${endOf(offer?.lease ?? nobodysLease)} else peyk_now() end
        from (select *, has_room and app_id <> all (${stoppedApps}) as is_leased from ${unnestRows(
          batches,
          'b',
          {
            app_id: ['int', ({ draft }) => draft.appId],
            message_id: ['uuid', ({ draft }) => draft.id],
            numbers: ['text', ({ numbers }) => `{${numbers.join(',')}}`],
            expires_at: ['timestamptz', ({ draft }) => draft.expiresAt.toISOString()],
            has_room: ['boolean', ({ draft }) => offer?.hasRoomFor(draft.appId) ?? false],
          },
          { position: 'position' },
        )}) b
        where ${isOpen}
        order by position
        returning message_id, batch_no, installation_nos[1] as first_no, lease_holder
      )${refused ?? empty}${counted ?? empty}${fallbacks ?? empty}${pacedWork ?? empty}, stored as (
        insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body${whenShared})
        select app_id, id, accepted_at, expires_at, recipients, product, 'users', channel, track_id, client_id, body${whenShared}
        from ${unnestRows(drafts, 'm', {
          app_id: ['int', (draft) => draft.appId],
          id: ['uuid', (draft) => draft.id],
          accepted_at: ['timestamptz', (draft) => draft.acceptedAt.toISOString()],
          expires_at: ['timestamptz', (draft) => draft.expiresAt.toISOString()],
          recipients: ['int', (_, index) => receivers[index]?.installationNos.length],
          product: ['text', (draft) => draft.product],
          channel: ['text', (draft) => draft.channel.name],
          track_id: ['text', (draft) => draft.trackId],
          client_id: ['text', (draft) => draft.clientId],
          body: ['jsonb', (draft) => JSON.stringify(draft.body)],
          ...(areShared && { user_change: ['bigint', ({ userChange }: NamedDraft) => userChange ?? null] as const }),
        })}
        where ${isOpen}
      )
      select gate.is_open, q.message_id, q.batch_no, q.first_no
      from gate left join (select * from queued where lease_holder is not null) q on true`,
    `insert-personal-messages${refused ? '-refused' : ''}${counted ? '-counted' : ''}${fallbacks ? '-with-fallbacks' : ''}${pacedWork ? '-paced' : ''}${areShared ? '-shared' : ''}`,
  )
  if (!rows[0]?.is_open) return undefined
  const byFirst = new Map(batches.map((batch) => [`${batch.draft.id}/${batch.numbers[0]}`, batch]))
  return rows.flatMap(({ message_id, batch_no, first_no }) => {
    const batch = byFirst.get(`${message_id}/${first_no}`)
    const app = batch && looks?.get(batch.draft.appId)
    if (batch_no === null || !app) return []
    const { draft, recipients, reaches } = batch
    return [{ batchNo: batch_no, draft, app, recipients, installations: reaches }]
  })
}

const nobodysLease = { holder: '', ms: 0 }

/** Of installations that are not in the channel. Most messages have none. */
function endRefused(drafts: readonly NamedDraft[], receivers: readonly Receivers[]): Sql | undefined {
  const refused = drafts.flatMap(({ appId, id, acceptedAt }, index) =>
    (receivers[index]?.outsideChannel ?? []).map((number) => ({ appId, id, number, at: acceptedAt.toISOString() })),
  )
  if (refused.length === 0) return undefined
  return sql`, refused as (
        insert into deliveries (app_id, message_id, installation_no, state, reason, updated_at)
        select app_id, message_id, installation_no, 'ended', 'not-in-channel', updated_at
        from ${unnestRows(refused, 'r', {
          app_id: ['int', (row) => row.appId],
          message_id: ['uuid', (row) => row.id],
          installation_no: ['bigint', (row) => row.number],
          updated_at: ['timestamptz', (row) => row.at],
        })}
        where ${isOpen}
      )`
}

/** The counters of deliveries that end here: see deliveries/progress/advance-deliveries.ts. Most messages have none. */
function countRefused(drafts: readonly NamedDraft[], receivers: readonly Receivers[]): Sql | undefined {
  const counted = drafts.flatMap(({ appId, id, acceptedAt }, index) => {
    const { installationNos = [], outsideChannel = [] } = receivers[index] ?? {}
    if (installationNos.length < countedRecipients || outsideChannel.length === 0) return []
    return [{ appId, id, count: outsideChannel.length, at: acceptedAt.toISOString() }]
  })
  if (counted.length === 0) return undefined
  return sql`, counted as (
        insert into delivery_counters (app_id, message_id, slot, state, reason, count, first_at, last_at)
        select app_id, message_id, 0, 'ended', 'not-in-channel', count, at, at
        from ${unnestRows(counted, 'c', {
          app_id: ['int', (row) => row.appId],
          message_id: ['uuid', (row) => row.id],
          count: ['bigint', (row) => row.count],
          at: ['timestamptz', (row) => row.at],
        })}
        where ${isOpen}
      )`
}

/** [sending.md#sms-fallback] An SMS for each user of a message that has one, waiting until it is due. */
function leaveFallbacks(drafts: readonly NamedDraft[]): Sql | undefined {
  const left = drafts.flatMap(({ appId, id, acceptedAt, userIds, body: { fallback } }) => {
    if (!fallback) return []
    const dueAt = new Date(acceptedAt.getTime() + fallback.delay * 1_000).toISOString()
    return userIds.map((userId) => ({ appId, id, userId, dueAt }))
  })
  if (left.length === 0) return undefined
  return sql`, fallbacks as (
        insert into sms_fallbacks (app_id, message_id, user_id, due_at)
        select * from ${unnestRows(left, 'f', {
          app_id: ['int', (row) => row.appId],
          message_id: ['uuid', (row) => row.id],
          user_id: ['text', (row) => row.userId],
          due_at: ['timestamptz', (row) => row.dueAt],
        })}
        where ${isOpen}
      )`
}

function cutIntoBatches(draft: NamedDraft, { installationNos, reaches }: Receivers): Batch[] {
  const batches: Batch[] = []
  for (let start = 0; start < installationNos.length; start += installationsPerBatch) {
    const part = [start, start + installationsPerBatch] as const
    const recipients = installationNos.length
    batches.push({ draft, recipients, numbers: installationNos.slice(...part), reaches: reaches.slice(...part) })
  }
  return batches
}
