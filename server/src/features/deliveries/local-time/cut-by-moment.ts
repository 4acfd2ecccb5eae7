import sql, { type Sql } from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import type { MessageContent, StoredLocalTime } from '../../messages/compose/compose-message.ts'
import { changeCounters } from '../progress/change-counters.ts'
import { timeFallbacks } from './time-fallbacks.ts'
import { readUserClocks, type UserRange } from './user-clocks.ts'

export const installationsPerBatch = 500

/** A part of a message's installations that is to be cut into batches. */
export interface Cutting {
  appId: number
  messageId: string
  /** `select installation_no`, all within the range. */
  found: Sql
  from: number
  to: number
  at: Date
}

interface MessageRow {
  audience: 'users' | 'public' | 'query'
  body: MessageContent & { sendAt: number; localTime: StoredLocalTime & { zone: string } }
}

/**
 * Cuts installations of a message with a local time into batches that become due at the moments of their users, in the
 * lane `later`: see release-due.ts. Those who are left out because their time has passed end here. Answers how many are
 * not there any more.
 */
export async function cutByMoment(tx: Transaction, cutting: Cutting): Promise<number> {
  const { appId, messageId, found, from, to } = cutting
  const [message] = await tx.query<MessageRow>(
    sql`select audience, body from messages where app_id = ${appId} and id = ${messageId}`,
    'read-local-message',
  )
  const { audience, body } = message as MessageRow
  const { localTime, fallback } = body
  const isPersonal = audience === 'users'
  const hasSms = isPersonal && fallback !== undefined
  const users = hasSms ? namedUsers(appId, messageId) : usersOf(cutting)
  const range = isPersonal ? undefined : await readRange(tx, users)
  const clocks = await readUserClocks(tx, appId, users, { localTime, dueAt: new Date(body.sendAt), range })
  const lifeMs = Math.ceil(localTime.ttl * 1_000)
  const life = sql`${lifeMs}::float8 * interval '1 millisecond'`
  if (hasSms) await timeFallbacks(tx, { appId, messageId, clocks, life, delay: fallback.delay })
  const [cut] = await tx.query<{ gone: number; skipped: number }>(sql`
    with found as materialized (${found}), there as materialized (
      select f.installation_no, i.user_no, ${isPersonal ? sql`'personal/mixed'` : sql`'group/' || coalesce(d.token_provider, 'mixed')`} as stream
      from found f
      join installations i on i.installation_no = f.installation_no
      join installation_details d on d.installation_no = f.installation_no
      where i.app_id = ${appId} and i.installation_no > ${from} and i.installation_no <= ${to}
        and d.app_id = ${appId} and d.installation_no > ${from} and d.installation_no <= ${to}
    ), clocks as materialized (
      ${clocks.known}
    ), timed as materialized (
      select t.installation_no, t.stream, case when c.user_no is null then ${clocks.otherwise}::timestamptz else c.at end as at
      from there t left join clocks c on c.user_no = t.user_no
    ), cut as (
      insert into delivery_batches (app_id, message_id, lane, stream, available_at, expires_at, installation_nos)
      select ${appId}, ${messageId}, 'later', stream, at, at + ${life}, array_agg(installation_no order by installation_no)
      from (
        select installation_no, stream, at,
          (row_number() over (partition by at, stream order by installation_no) - 1) / ${installationsPerBatch} as part
        from timed where at is not null
      ) numbered
      group by at, stream, part order by at, part, stream
    ), ends as (
      insert into message_ends (app_id, message_id, ends_at)
      select distinct ${appId}::int, ${messageId}::uuid, at + ${life} from timed where at is not null
      on conflict do nothing
    ), skipped as (
      insert into deliveries (app_id, message_id, installation_no, state, reason, detail_code, updated_at)
      select ${appId}, ${messageId}, installation_no, 'ended', 'skipped', 'time-passed', ${cutting.at}::timestamptz
      from timed where at is null order by installation_no
      on conflict do nothing returning 1
    )
    select (select count(*) from found) - (select count(*) from there) as gone, (select count(*) from skipped) as skipped`)
  const { gone, skipped } = cut as { gone: number; skipped: number }
  if (skipped > 0) {
    const ended = { appId, messageId, state: 'ended', reason: 'skipped', count: skipped, at: cutting.at }
    await changeCounters(tx, [ended])
  }
  return gone
}

/** Users who registered one after another have numbers near each other, and so have those of a part of an audience. */
async function readRange(tx: Transaction, users: Sql): Promise<UserRange | undefined> {
  const [range] = await tx.query<UserRange>(
    sql`select min(user_no) as first, max(user_no) as last from (${users}) u`,
    'read-user-range',
  )
  return range
}

/** Also those without a device: an SMS may go to them. */
function namedUsers(appId: number, messageId: string): Sql {
  return sql`
    select u.user_no from message_users n join users u on u.app_id = n.app_id and u.user_id = n.user_id
    where n.app_id = ${appId} and n.message_id = ${messageId}`
}

function usersOf({ appId, found, from, to }: Cutting): Sql {
  return sql`
    select i.user_no from (${found}) f join installations i on i.installation_no = f.installation_no
    where i.app_id = ${appId} and i.installation_no > ${from} and i.installation_no <= ${to}`
}
