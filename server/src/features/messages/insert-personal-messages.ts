import sql from 'sql-template-tag'
import type { Database } from '../../base/store/store.ts'
import type { Draft } from './draft-message.ts'

export interface NamedDraft extends Draft {
  userIds: string[]
}

const installationsPerBatch = 500

/**
 * Stores messages to named users with the work they leave for deliveries, and says how many installations each goes to.
 * An installation that is not on the message's channel is not counted, and its delivery has ended [choice 24].
 */
export async function insertPersonalMessages(
  tx: Pick<Database, 'query'>,
  drafts: readonly NamedDraft[],
): Promise<number[]> {
  const receivers = drafts.flatMap((draft, index) => draft.userIds.map((userId) => ({ position: index + 1, userId })))
  const rows = await tx.query<{ count: number }>(
    sql`
      with m as materialized (
        select * from unnest(
          ${drafts.map((draft) => draft.appId)}::int[], ${drafts.map((draft) => draft.id)}::uuid[],
          ${drafts.map((draft) => draft.acceptedAt.toISOString())}::timestamptz[],
          ${drafts.map((draft) => draft.expiresAt.toISOString())}::timestamptz[],
          ${drafts.map((draft) => draft.product)}::text[], ${drafts.map((draft) => draft.channel.name)}::text[],
          ${drafts.map((draft) => draft.channel.subscription ?? null)}::text[],
          ${drafts.map((draft) => draft.trackId ?? null)}::text[], ${drafts.map((draft) => draft.clientId ?? null)}::text[],
          ${drafts.map((draft) => JSON.stringify(draft.body))}::jsonb[],
          ${drafts.map((draft) => draft.body.live ?? false)}::boolean[]
        ) with ordinality as m(app_id, id, accepted_at, expires_at, product, channel, subscription, track_id, client_id, body, is_live, position)
      ), receivers as materialized (
        select * from unnest(${receivers.map((receiver) => receiver.position)}::int[], ${receivers.map((receiver) => receiver.userId)}::text[])
          as r(position, user_id)
      ), found as materialized (
        -- A live message goes to connected installations, and there is no connection yet.
        select m.position, m.app_id, m.id, m.accepted_at, i.installation_no,
          m.subscription is null or m.subscription = any (i.subscriptions) or m.subscription = i.id::text as is_member
        from receivers r
        join m on m.position = r.position and not m.is_live
        join users u on u.app_id = m.app_id and u.user_id = r.user_id
        join installations i on i.app_id = u.app_id and i.user_no = u.user_no and i.uninstalled_at is null
      ), counted as materialized (
        select m.position, count(f.position) as recipients
        from m left join found f on f.position = m.position and f.is_member group by m.position
      ), stored as (
        insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, client_id, body)
        select app_id, id, accepted_at, expires_at, recipients, product, 'users', channel, track_id, client_id, body
        from m join counted using (position)
      ), named as (
        insert into message_users (app_id, message_id, user_id)
        select m.app_id, m.id, r.user_id from receivers r join m on m.position = r.position
      ), queued as (
        insert into delivery_batches (app_id, message_id, lane, installation_nos)
        select app_id, id, 'personal', array_agg(installation_no order by installation_no)
        from (
          select *, (row_number() over (partition by position order by installation_no) - 1) / ${installationsPerBatch} as part
          from found where is_member
        ) numbered
        group by position, part, app_id, id order by position, part
      ), refused as (
        insert into deliveries (app_id, message_id, installation_no, state, reason, updated_at)
        select app_id, id, installation_no, 'ended', 'not-in-channel', accepted_at from found where not is_member
      )
      select recipients::int as count from counted order by position`,
    'insert-personal-messages',
  )
  return rows.map((row) => row.count)
}
