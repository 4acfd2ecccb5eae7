import sql, { empty, type Sql } from 'sql-template-tag'
import { limits } from '../../base/config.ts'
import type { Transaction } from '../../base/store/store.ts'
import { writeEventCursor } from '../events/event-cursor.ts'
import type { MessageRow } from '../messages/message-answer.ts'

export interface Owner {
  appId: number
  userId: string
  userNo: number | null
  installationNos: number[]
}

type Rows = Promise<Record<string, unknown>[]>

const milliseconds = (column: Sql) => sql`(extract(epoch from ${column}) * 1000)::bigint`

/** Rows without what is null: absent, as everywhere on the wire. */
async function list(tx: Transaction, statement: Sql): Rows {
  const rows = await tx.query<Record<string, unknown>>(statement)
  return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)))
}

export async function listInstallationNos(tx: Transaction, appId: number, userNo: number | null): Promise<number[]> {
  const rows = await tx.query<{ installation_no: number }>(sql`
    select installation_no from installations where app_id = ${appId} and user_no = ${userNo} order by installation_no`)
  return rows.map((row) => row.installation_no)
}

export function readTags(tx: Transaction, { appId, userNo }: Owner): Rows {
  return list(tx, sql`select tag, value from user_tags where app_id = ${appId} and user_no = ${userNo} order by tag`)
}

export async function readAttributes(tx: Transaction, { appId, userNo }: Owner): Promise<Record<string, unknown>> {
  const rows = await tx.query<{ name: string; value: unknown }>(sql`
    select name, value from user_attributes where app_id = ${appId} and user_no = ${userNo} order by name`)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export function listUninstalls(tx: Transaction, { appId, userId, installationNos }: Owner): Rows {
  return list(
    tx,
    sql`select ${milliseconds(sql`uninstalled_at`)} as time, installation_id as "installationId", device_type as "deviceType"
        from uninstalls where app_id = ${appId} and (user_id = ${userId} or installation_no = any(${installationNos}::bigint[]))
        order by uninstall_no`,
  )
}

/** Push tokens that the installations had; what they were is not kept. */
export function listPastTokens(tx: Transaction, { appId, installationNos }: Owner): Rows {
  return list(
    tx,
    sql`select i.id as "installationId", ${milliseconds(sql`p.given_at`)} as "givenAt", ${milliseconds(sql`p.ended_at`)} as "endedAt", p.reason
        from past_tokens p join installations i using (app_id, installation_no)
        where p.app_id = ${appId} and p.installation_no = any(${installationNos}::bigint[])
        order by p.installation_no, p.ended_at`,
  )
}

const eventsPerRead = 200

/** The newest that are not too much for one answer, oldest first. With a cursor where there are older ones. */
export async function listEvents(
  tx: Transaction,
  { appId, userNo }: Owner,
): Promise<{ events: Record<string, unknown>[]; cursor?: string }> {
  const newest: Record<string, unknown>[] = []
  let characters = 0
  let before = empty
  for (;;) {
    const part = await list(
      tx,
      sql`select e.id, i.id as "installationId", e.name as "eventName", ${milliseconds(sql`e.event_at`)} as "eventTime",
            e.data as "eventData", e.revenue, e.currency,
            case when e.influence_message_id is not null then
              jsonb_build_object('messageId', e.influence_message_id, 'direct', coalesce(e.influence_direct, false)) end as influence
          from (
            select * from events where app_id = ${appId} and user_no = ${userNo} ${before}
            order by event_at desc, id desc limit ${eventsPerRead}
          ) e left join installations i on i.app_id = e.app_id and i.installation_no = e.installation_no
          order by e.event_at desc, e.id desc`,
    )
    newest.push(...part)
    characters += JSON.stringify(part).length
    const last = part.at(-1) as { id: string; eventTime: number } | undefined
    if (!last || part.length < eventsPerRead) return { events: newest.reverse() }
    const place = { eventAt: last.eventTime, id: last.id }
    if (characters > limits.answerBytes) return { events: newest.reverse(), cursor: writeEventCursor(place) }
    before = sql`and (event_at, id) < (${new Date(place.eventAt)}, ${place.id}::uuid)`
  }
}

/** Kept longer than the events they count. */
export function listCounters(tx: Transaction, { appId, userNo, installationNos }: Owner): Rows {
  const columns = sql`c.event_key as event, c.count, ${milliseconds(sql`c.first_at`)} as "firstTime", ${milliseconds(sql`c.last_at`)} as "lastTime",
    c.value_sum as "sum", c.value_min as "min", c.value_max as "max", c.value_last as "lastValue"`
  return list(
    tx,
    sql`select i.id as "installationId", ${columns}
        from event_counters c join installations i using (app_id, installation_no)
        where c.app_id = ${appId} and c.installation_no = any(${installationNos}::bigint[])
        union all
        select null, ${columns} from user_event_counters c
        where c.app_id = ${appId} and c.user_no = ${userNo} and c.event_key <> ''
        order by 1, 2`,
  )
}

/** Those that named the user, and those to groups that went to the user's installations. Other addressees stay unnamed. */
export function listMessages(tx: Transaction, owner: Owner): Promise<MessageRow[]> {
  const { appId, userId, installationNos } = owner
  return tx.query<MessageRow>(sql`
    select m.id, m.accepted_at, m.expires_at, m.cancelled_at, m.recipients, m.product, m.audience, m.channel, m.track_id,
      m.client_id, m.body, m.target, ${userId}::text as user_id,
      (select count(*)::int from message_users u where u.app_id = m.app_id and u.message_id = m.id) as user_count
    from messages m
    where m.app_id = ${appId} and m.id in (
      select message_id from message_users where app_id = ${appId} and user_id = ${userId}
      union
      select d.message_id from deliveries d
      where d.app_id = ${appId} and d.installation_no = any(${installationNos}::bigint[]) and d.message_id in (${messagesTo(owner)}))
    order by m.id`)
}

/** Messages that may have gone to the user: deliveries and receipts are found by message, not by installation. */
function messagesTo({ appId, userId }: Owner): Sql {
  return sql`
    select message_id from message_users where app_id = ${appId} and user_id = ${userId}
    union all
    select id from messages where app_id = ${appId} and audience <> 'users'`
}

export function listDeliveries(tx: Transaction, owner: Owner): Rows {
  const { appId, installationNos } = owner
  return list(
    tx,
    sql`select d.message_id as "messageId", i.id as "installationId", d.state, d.reason, d.provider,
          ${milliseconds(sql`d.updated_at`)} as "updatedAt"
        from deliveries d join installations i using (app_id, installation_no)
        where d.app_id = ${appId} and d.installation_no = any(${installationNos}::bigint[]) and d.message_id in (${messagesTo(owner)})
        order by d.message_id, d.installation_no`,
  )
}

export function listReceipts(tx: Transaction, owner: Owner): Rows {
  const { appId, installationNos } = owner
  return list(
    tx,
    sql`select r.message_id as "messageId", i.id as "installationId", r.kind, nullif(r.action_id, '') as "actionId",
          ${milliseconds(sql`r.happened_at`)} as time
        from receipts r join installations i using (app_id, installation_no)
        where r.app_id = ${appId} and r.installation_no = any(${installationNos}::bigint[]) and r.message_id in (${messagesTo(owner)})
        order by r.message_id, r.happened_at, r.kind`,
  )
}

export function listPromoCodes(tx: Transaction, { appId, userNo }: Owner): Rows {
  return list(
    tx,
    sql`select code, message_id as "messageId", ${milliseconds(sql`given_at`)} as "givenAt"
        from promo_given where app_id = ${appId} and user_no = ${userNo} order by given_at, code`,
  )
}

export function listSms(tx: Transaction, owner: Owner): Rows {
  const { appId, userId } = owner
  return list(
    tx,
    sql`select message_id as "messageId", state, phone, ${milliseconds(sql`updated_at`)} as "updatedAt"
        from sms_fallbacks where app_id = ${appId} and user_id = ${userId} and message_id in (${messagesTo(owner)})
        order by message_id`,
  )
}
