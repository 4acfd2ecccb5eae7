import sql, { type Sql } from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import { isForUser, messageColumns } from '../other-user/decided-for.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'
import { earlierInWork } from './earlier-in-work.ts'

export interface InboxAsk {
  appId: number
  installationNo: number
  /** Who is connected. What waits is answered as well when the installation is somebody else's by now, who is not to have it. */
  userId: string
  /** Messages that are on their way to it already. */
  without: readonly string[]
  /** Recalled messages that it is being told of already. */
  clearing: readonly string[]
  limit: number
  /** A live message from before the connection is not for it, nor is one from before all sending was resumed. */
  connectedAt: Date
  /** The app is in the foreground: live and in-app messages are for it. */
  isOpen: boolean
}

export interface InboxRow {
  app_id: number
  installation_no: number
  message_id: string
  user_no: number
  user_id: string
  installation_id: string
  device_type: string
  seconds_left: number
  /** Until when it is there, in epoch milliseconds, where the message has other ends for other users. */
  own_end: number | null
  promo_code: string | null
  /** Something older is still on its way into the inbox. */
  is_behind: boolean
  /** It is not to be brought, but to be taken away. */
  is_recalled: boolean
  /** With the first row of each message and end only. */
  message: StoredMessage | null
}

export interface StoredMessage {
  product: Product
  channel: string
  track_id: string | null
  client_id: string | null
  /** Epoch milliseconds. */
  accepted_at: number
  expires_at: number
  body: MessageContent
  app_name: string
  notification_text: string | null
  icon: string | null
}

/** Of the message `d` of the app `a`. */
export const storedMessage: Sql = sql`json_build_object(
  'product', d.product, 'channel', d.channel, 'track_id', d.track_id, 'client_id', d.client_id, 'body', d.body,
  'accepted_at', floor(extract(epoch from d.accepted_at) * 1000), 'expires_at', floor(extract(epoch from d.expires_at) * 1000),
  'app_name', a.name, 'notification_text', a.settings->>'notificationText', 'icon', a.settings->>'icon')`

/**
 * Messages waiting for these installations, oldest first. A message decided for one user is not for the next user of
 * the device: one sent to a user by name waits until that user is back, or expires. A recalled message has to be
 * removed, no matter who uses the device now.
 * `offset 0` keeps PostgreSQL to the index of what is in an inbox and to one lookup for each of these, whatever it believes
 * about the tables: a plan that merges an inbox with all messages of the app takes seconds.
 */
export async function readInboxRows(database: Database, asks: readonly InboxAsk[]): Promise<InboxRow[]> {
  return database.query<InboxRow>(
    sql`with k as materialized (
          select * from ${unnestRows(
            asks,
            'k',
            {
              app_id: ['int', ({ appId }) => appId],
              installation_no: ['bigint', ({ installationNo }) => installationNo],
              user_id: ['text', ({ userId }) => userId],
              without: ['text', ({ without }) => `{${without.join(',')}}`],
              clearing: ['text', ({ clearing }) => `{${clearing.join(',')}}`],
              most: ['int', ({ limit }) => limit],
              connected_at: ['timestamptz', ({ connectedAt }) => connectedAt.toISOString()],
              is_open: ['boolean', ({ isOpen }) => isOpen],
            },
            { position: 'position' },
          )}
        ), newest as materialized (
          select k.app_id, k.installation_no, n.message_id as up_to
          from k cross join lateral (
            select message_id from (select message_id from deliveries
              where app_id = k.app_id and installation_no = k.installation_no and in_inbox offset 0) w
            order by message_id desc limit 1
          ) n
        ), earlier as materialized (
          ${earlierInWork(sql`select * from newest`)}
        )
        select k.app_id, k.installation_no, d.message_id, d.is_recalled, i.user_no, u.user_id, i.id as installation_id, i.device_type,
          extract(epoch from d.expires_at - peyk_now())::float8 as seconds_left,
          exists (
            select from earlier e
            where e.app_id = k.app_id and e.installation_no = k.installation_no and e.message_id < d.message_id
              and e.message_id <> all (k.without::uuid[])) as is_behind,
          (select g.code from promo_given g
           where g.app_id = k.app_id and g.message_id = d.message_id
             and g.user_no in (i.user_no, i.guest_user_no)
           order by g.user_no <> i.user_no limit 1) as promo_code,
          floor(extract(epoch from d.own_end) * 1000)::float8 as own_end,
          case when row_number() over (partition by d.message_id, d.own_end order by k.position) = 1 then ${storedMessage} end as message
        from k
        join apps a on a.app_id = k.app_id and a.stopped_at is null
        cross join lateral (
          select app_id, id, user_no, device_type, user_change, guest_user_no from installations
          where app_id = k.app_id and installation_no = k.installation_no offset 0
        ) i
        cross join lateral (select user_id from users where app_id = k.app_id and user_no = i.user_no offset 0) u
        cross join lateral (
          select w.message_id, m.product, m.channel, m.track_id, m.client_id, m.accepted_at, coalesce(w.own_end, m.expires_at) as expires_at,
            w.own_end, m.body, m.recalled_at is not null as is_recalled
          from (select message_id, state, reason, expires_at as own_end from deliveries
                where app_id = k.app_id and installation_no = k.installation_no and in_inbox offset 0) w
          cross join lateral (select * from messages where app_id = k.app_id and id = w.message_id offset 0) m
          where case when m.recalled_at is not null then w.message_id <> all (k.clearing::uuid[])
            else coalesce(w.own_end, m.expires_at) > peyk_now() and m.cancelled_at is null and m.paused_at is null and (w.state <> 'ended' or w.reason = 'unknown')
              and w.message_id <> all (k.without::uuid[])
              and (m.body->'live' is null or m.accepted_at >= greatest(k.connected_at, a.resumed_at))
              and (k.is_open or (m.body->'live' is null and m.body->'inApp' is null))
              and (u.user_id <> k.user_id or ${isForUser(messageColumns, sql`u.user_id`)})
            end
          order by w.message_id limit k.most
        ) d
        order by k.position, d.message_id`,
    'read-inbox',
  )
}

/** They wait no more: acknowledged, or never to be sent. Of recalled messages the device is still to be told. */
export async function takeOutOfInbox(tx: Transaction, keys: readonly DeliveryKey[]): Promise<void> {
  if (keys.length === 0) return
  await tx.query(
    sql`update deliveries d set in_inbox = false
        from ${unnestRows(keys, 'k', {
          app_id: ['int', ({ appId }) => appId],
          message_id: ['uuid', ({ messageId }) => messageId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        where d.app_id = k.app_id and d.message_id = k.message_id and d.installation_no = k.installation_no and d.in_inbox
          and not exists (select from recalls r where r.app_id = d.app_id and r.message_id = d.message_id)`,
    'take-out-of-inbox',
  )
}
