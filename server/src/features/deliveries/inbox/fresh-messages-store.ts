import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { earlierInWork } from './earlier-in-work.ts'
import { type StoredMessage, storedMessage } from './inbox-store.ts'

/** A message, and the installations whose inboxes received it, each with its user. */
export interface FreshAsk {
  appId: number
  messageId: string
  installationNos: readonly number[]
  userNos: readonly number[]
  /** Messages that are on their way to each of them already. */
  withouts: readonly (readonly string[])[]
  /** What it says was read before. */
  isKnown: boolean
}

export interface FreshRow {
  message_id: string
  seconds_left: number
  changed: string[]
  behind: string[]
  message: StoredMessage | null
}

/** `offset 0` keeps PostgreSQL to one index lookup per number, whatever it believes about the tables. */
export async function readFreshRows(database: Database, asks: readonly FreshAsk[]): Promise<FreshRow[]> {
  return database.query<FreshRow>(
    sql`with k as materialized (
          select * from ${unnestRows(asks, 'k', {
            app_id: ['int', ({ appId }) => appId],
            message_id: ['uuid', ({ messageId }) => messageId],
            numbers: ['text', ({ installationNos }) => `{${installationNos.join(',')}}`],
            users: ['text', ({ userNos }) => `{${userNos.join(',')}}`],
            withouts: ['text', ({ withouts }) => listOfLists(withouts)],
            is_known: ['boolean', ({ isKnown }) => isKnown],
          })}
        ), earlier as materialized (
          ${earlierInWork(sql`select app_id, unnest(numbers::bigint[]) as installation_no, message_id as up_to from k`)}
        )
        select k.message_id, extract(epoch from d.expires_at - peyk_now())::float8 as seconds_left,
          case when not k.is_known then ${storedMessage} end as message,
          array(
            select l.installation_no from unnest(k.numbers::bigint[], k.users::bigint[]) as l(installation_no, user_no)
            where not exists (
              select from installations
              where app_id = k.app_id and installation_no = l.installation_no and user_no = l.user_no offset 0)) as changed,
          array(
            select l.installation_no from unnest(k.numbers::bigint[], k.withouts::text[]) as l(installation_no, without)
            where exists (
              select from (select message_id from deliveries
                           where app_id = k.app_id and installation_no = l.installation_no and in_inbox
                             and message_id < k.message_id offset 0) waiting
              cross join lateral (
                select from messages
                where app_id = k.app_id and id = waiting.message_id and expires_at > peyk_now() and cancelled_at is null and paused_at is null
                offset 0
              ) m
              where waiting.message_id <> all (l.without::uuid[])
            ) or exists (
              select from earlier e
              where e.app_id = k.app_id and e.installation_no = l.installation_no and e.message_id < k.message_id
                and e.message_id <> all (l.without::uuid[]))
          ) as behind
        from k
        cross join lateral (select * from messages where app_id = k.app_id and id = k.message_id offset 0) d
        join apps a on a.app_id = k.app_id and a.stopped_at is null
        where d.expires_at > peyk_now() and d.cancelled_at is null and d.paused_at is null`,
    'read-fresh',
  )
}

/** In PostgreSQL's notation. */
function listOfLists(lists: readonly (readonly string[])[]): string {
  return `{${lists.map((list) => `"{${list.join(',')}}"`).join(',')}}`
}
