import sql, { empty, type Sql } from 'sql-template-tag'
import type { Database } from '../../../base/store/store.ts'
import { unnestRows } from '../../../base/store/unnest-rows.ts'
import { countedRecipients } from './counted-recipients.ts'
import type { Receivers } from './find-receivers.ts'
import type { NamedDraft } from './named-draft.ts'

const installationsPerBatch = 500

/**
 * Stores messages to named users with the work they leave for deliveries. An installation outside the message's
 * channel has its delivery ended here.
 */
export async function insertPersonalMessages(
  db: Database,
  drafts: readonly NamedDraft[],
  receivers: readonly Receivers[],
): Promise<void> {
  const named = drafts.flatMap(({ appId, id, userIds }) => userIds.map((userId) => ({ appId, id, userId })))
  const batches = drafts.flatMap(({ appId, id }, index) =>
    cutIntoBatches(receivers[index]?.installationNos ?? []).map((numbers) => ({ appId, id, numbers })),
  )
  const refused = drafts.flatMap(({ appId, id, acceptedAt }, index) =>
    (receivers[index]?.outsideChannel ?? []).map((number) => ({ appId, id, number, at: acceptedAt.toISOString() })),
  )
  const counted = countRefused(drafts, receivers)
  const fallbacks = leaveFallbacks(drafts)
  await db.query(
    sql`
      with named as (
        insert into message_users (app_id, message_id, user_id)
        select * from unnest(
          ${named.map((user) => user.appId)}::int[], ${named.map((user) => user.id)}::uuid[],
          ${named.map((user) => user.userId)}::text[])
      ), queued as (
        insert into delivery_batches (app_id, message_id, lane, installation_nos)
        select app_id, message_id, 'personal', numbers::bigint[]
        from ${unnestRows(
          batches,
          'b',
          {
            app_id: ['int', (batch) => batch.appId],
            message_id: ['uuid', (batch) => batch.id],
            numbers: ['text', (batch) => `{${batch.numbers.join(',')}}`],
          },
          { position: 'position' },
        )}
        order by position
      ), refused as (
        insert into deliveries (app_id, message_id, installation_no, state, reason, updated_at)
        select app_id, message_id, installation_no, 'ended', 'not-in-channel', updated_at
        from ${unnestRows(refused, 'r', {
          app_id: ['int', (row) => row.appId],
          message_id: ['uuid', (row) => row.id],
          installation_no: ['bigint', (row) => row.number],
          updated_at: ['timestamptz', (row) => row.at],
        })}
      )${counted ?? empty}${fallbacks ?? empty}
      insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body)
      select app_id, id, accepted_at, expires_at, recipients, product, 'users', channel, track_id, client_id, body
      from unnest(
        ${drafts.map((draft) => draft.appId)}::int[], ${drafts.map((draft) => draft.id)}::uuid[],
        ${drafts.map((draft) => draft.acceptedAt.toISOString())}::timestamptz[],
        ${drafts.map((draft) => draft.expiresAt.toISOString())}::timestamptz[],
        ${receivers.map((found) => found.installationNos.length)}::int[], ${drafts.map((draft) => draft.product)}::text[],
        ${drafts.map((draft) => draft.channel.name)}::text[], ${drafts.map((draft) => draft.trackId ?? null)}::text[],
        ${drafts.map((draft) => draft.clientId ?? null)}::text[], ${drafts.map((draft) => JSON.stringify(draft.body))}::jsonb[]
      ) as m(app_id, id, accepted_at, expires_at, recipients, product, channel, track_id, client_id, body)`,
    `insert-personal-messages${counted ? '-counted' : ''}${fallbacks ? '-with-fallbacks' : ''}`,
  )
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
      )`
}

/** [choice 29] An SMS for each user of a message that has one, waiting until it is due. */
function leaveFallbacks(drafts: readonly NamedDraft[]): Sql | undefined {
  const left = drafts.flatMap(({ appId, id, acceptedAt, userIds, body: { fallback } }) => {
    if (!fallback) return []
    const dueAt = new Date(acceptedAt.getTime() + fallback.delay * 1_000).toISOString()
    return userIds.map((userId) => ({ appId, id, userId, dueAt }))
  })
  if (left.length === 0) return undefined
  return sql`, fallbacks as (
        insert into sms_fallbacks (app_id, message_id, user_id, due_at)
        select * from unnest(
          ${left.map((row) => row.appId)}::int[], ${left.map((row) => row.id)}::uuid[],
          ${left.map((row) => row.userId)}::text[], ${left.map((row) => row.dueAt)}::timestamptz[])
      )`
}

function cutIntoBatches(installationNos: number[]): number[][] {
  const batches: number[][] = []
  for (let start = 0; start < installationNos.length; start += installationsPerBatch) {
    batches.push(installationNos.slice(start, start + installationsPerBatch))
  }
  return batches
}
