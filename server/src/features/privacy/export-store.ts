import sql, { raw, type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { messageOf } from '../composer/approvals/approval-answer.ts'
import { type ApprovalRow, approvalsFor } from '../composer/approvals/approval-store.ts'
import { decidedFor, listInstallationsOf } from '../deliveries/other-user/decided-for.ts'
import { readScheduled, type ScheduledRow, scheduledFor } from '../messages/schedule/schedule-store.ts'
import { scheduledAnswer } from '../messages/schedule/scheduled-answer.ts'
import { seriesMessage } from '../messages/series/series-answer.ts'
import { readSeries, type SeriesRow, seriesFor } from '../messages/series/series-store.ts'
import { type MessageRow, messageAnswer } from '../messages/stored/message-answer.ts'

export interface Owner {
  appId: number
  userId: string
  userNo: number | null
  installationNos: number[]
}

type Rows = AsyncGenerator<object>

const milliseconds = (column: Sql) => sql`(extract(epoch from ${column}) * 1000)::bigint`

const rowsPerRead = 50

/** Row after row, however many there are: a few are in memory at a time. */
async function* readRows<Row extends object>(tx: Transaction, statement: Sql): AsyncGenerator<Row> {
  await tx.query(sql`declare exported no scroll cursor for ${statement}`)
  for (;;) {
    const rows = await tx.query<Row>(sql`fetch ${raw(String(rowsPerRead))} from exported`)
    yield* rows
    if (rows.length < rowsPerRead) break
  }
  await tx.query(sql`close exported`)
}

/** Rows without what is null: absent, as everywhere on the wire. */
async function* list(tx: Transaction, statement: Sql): Rows {
  for await (const row of readRows(tx, statement))
    yield Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))
}

export async function listInstallationNos(tx: Transaction, appId: number, userNo: number | null): Promise<number[]> {
  const rows = await tx.query<{ installation_no: number }>(sql`
    select installation_no from installations where app_id = ${appId} and user_no = ${userNo} order by installation_no`)
  return rows.map((row) => row.installation_no)
}

export function listTags(tx: Transaction, { appId, userNo }: Owner): Rows {
  return list(tx, sql`select tag, value from user_tags where app_id = ${appId} and user_no = ${userNo} order by tag`)
}

export async function readAttributes(tx: Transaction, { appId, userNo }: Owner): Promise<Record<string, unknown>> {
  const rows = await tx.query<{ name: string; value: unknown }>(sql`
    select name, value from user_attributes where app_id = ${appId} and user_no = ${userNo} order by name`)
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

export function listPreferences(tx: Transaction, { appId, userNo }: Owner): Rows {
  return list(
    tx,
    sql`select category, is_wanted as "isWanted", ${milliseconds(sql`changed_at`)} as "changedAt"
        from user_preferences where app_id = ${appId} and user_no = ${userNo} order by category`,
  )
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

export function listEvents(tx: Transaction, { appId, userNo }: Owner): Rows {
  return list(
    tx,
    sql`select e.id, i.id as "installationId", e.name as "eventName", ${milliseconds(sql`e.event_at`)} as "eventTime",
          e.data as "eventData", e.revenue, e.currency,
          case when e.influence_message_id is not null then
            jsonb_build_object('messageId', e.influence_message_id, 'direct', coalesce(e.influence_direct, false)) end as influence
        from events e left join installations i on i.app_id = e.app_id and i.installation_no = e.installation_no
        where e.app_id = ${appId} and e.user_no = ${userNo}
        order by e.event_at, e.id`,
  )
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
export async function* listMessages(tx: Transaction, owner: Owner): Rows {
  const { appId, userId } = owner
  const rows = readRows<MessageRow>(
    tx,
    sql`
    select m.id, m.accepted_at, m.expires_at, m.cancelled_at, m.recipients, m.product, m.audience, m.channel, m.track_id,
      m.client_id, m.body, m.target, ${userId}::text as user_id,
      (select count(*)::int from message_users u where u.app_id = m.app_id and u.message_id = m.id) as user_count
    from messages m
    where m.app_id = ${appId} and m.id in (
      select message_id from message_users where app_id = ${appId} and user_id = ${userId}
      union
      select d.message_id ${deliveriesTo(owner)})
    order by m.id`,
  )
  for await (const row of rows) yield messageAnswer(row)
  for await (const row of readRows<ScheduledRow>(tx, scheduledFor({ appId, userId })))
    yield { ...scheduledAnswer(readScheduled(row)), user: userId }
  for await (const row of readRows<ApprovalRow>(tx, approvalsFor({ appId, userId })))
    yield { ...messageOf(row), user: userId }
}

/** Messages that repeat and name the user. Other addressees stay unnamed. */
export async function* listSeries(tx: Transaction, { appId, userId }: Owner): Rows {
  for await (const row of readRows<SeriesRow>(tx, seriesFor({ appId, userId }))) {
    const series = readSeries(row)
    const { id, state, course, createdAt } = series
    yield {
      ...{ id, state, rule: course.rule, zone: course.zone, createdAt: createdAt.getTime() },
      ...seriesMessage(series),
      user: userId,
    }
  }
}

/** Messages that may have gone to the user: deliveries and receipts are found by message, not by installation. */
function messagesTo({ appId, userId }: Owner): Sql {
  return sql`
    select message_id from message_users where app_id = ${appId} and user_id = ${userId}
    union all
    select id from messages where app_id = ${appId} and audience <> 'users'`
}

/**
 * Deliveries "d" that were decided for the user, on the installations "i" that are or were the user's. What was sent
 * there to a previous user belongs to that user.
 */
function deliveriesTo(owner: Owner): Sql {
  const { appId, userNo } = owner
  return sql`from deliveries d
    join installations i on i.app_id = d.app_id and i.installation_no = d.installation_no
    join messages m on m.app_id = d.app_id and m.id = d.message_id
    where d.app_id = ${appId} and d.message_id in (${messagesTo(owner)}) and d.installation_no = any(array(${listInstallationsOf(owner)}))
      and ${decidedFor} = ${userNo}`
}

export function listDeliveries(tx: Transaction, owner: Owner): Rows {
  return list(
    tx,
    sql`select d.message_id as "messageId", i.id as "installationId", d.state, d.reason, d.provider, d.language, d.variant,
          ${milliseconds(sql`d.updated_at`)} as "updatedAt"
        ${deliveriesTo(owner)}
        order by d.message_id, d.installation_no`,
  )
}

export function listReceipts(tx: Transaction, owner: Owner): Rows {
  return list(
    tx,
    sql`select r.message_id as "messageId", i.id as "installationId", r.kind, nullif(r.action_id, '') as "actionId",
          ${milliseconds(sql`r.happened_at`)} as time
        from receipts r
        join (select d.app_id, d.message_id, d.installation_no, i.id ${deliveriesTo(owner)}) i using (app_id, message_id, installation_no)
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
