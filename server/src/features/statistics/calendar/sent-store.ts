import type { SentEntry } from '@peyk/contract'
import sql from 'sql-template-tag'
import { firstIdAt } from '#base/ids.ts'
import type { Database } from '#base/store/store.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import type { StoredLocalTime } from '../../messages/compose/compose-message.ts'

export interface SentMoment {
  id: string
  accepted_at: Date
  local: string | null
  category: string | null
  is_silent: boolean
}

/** The id of a message that was moved is of when it was scheduled for first: these are looked for, too. */
const movedMs = 31 * 86_400_000

/** A cancelled message that no device got does not count as sent. One that some devices got does, recalled or not. */
const wasHandedOver = sql`(
  exists (select from delivery_counters c where c.app_id = m.app_id and c.message_id = m.id
    and (c.state not in ('queued', 'ended') or c.reason = 'unknown') group by c.message_id having sum(c.count) > 0)
  or m.recipients < ${countedRecipients} and exists (select from deliveries d where d.app_id = m.app_id
    and d.message_id = m.id and (d.state not in ('queued', 'ended') or d.reason = 'unknown')))`

/** Messages to groups that started in a period, newest ids first, except those cancelled in full. */
export async function listSentMoments(
  database: Database,
  { appId, from, to, limit }: { appId: number; from: Date; to: Date; limit: number },
): Promise<SentMoment[]> {
  return database.query<SentMoment>(sql`
    select id, accepted_at, body -> 'localTime' ->> 'local' as local, body ->> 'category' as category, body ? 'silent' as is_silent
    from messages m
    where app_id = ${appId} and audience <> 'users' and (cancelled_at is null or ${wasHandedOver})
      and id >= ${firstIdAt(Math.max(0, from.getTime() - movedMs))} and id < ${firstIdAt(to.getTime() + movedMs)}
      and accepted_at >= ${from} and accepted_at < ${to}
    order by id desc limit ${limit}`)
}

export interface SentRow {
  id: string
  title: string | null
  audience: SentEntry['audience']
  is_to_all: boolean
  recipients: number
  category: string | null
  series_id: string | null
  local_time: StoredLocalTime | null
  is_paused: boolean
  is_finished: boolean
  is_cancelled: boolean
  is_recalled: boolean
}

export async function readSentRows(
  database: Database,
  { appId, ids }: { appId: number; ids: readonly string[] },
): Promise<SentRow[]> {
  if (ids.length === 0) return []
  return database.query<SentRow>(sql`
    select id, left(coalesce(nullif(body #>> '{notification,title}', ''), nullif(body ->> 'alertText', ''),
        nullif(body #>> '{notification,body}', ''), nullif(body ->> 'content', '')), 200) as title,
      audience, coalesce(audience = 'public' and channel = 'default' or target -> 'target' = '{}', false) as is_to_all,
      recipients, body ->> 'category' as category, body ->> 'seriesId' as series_id, body -> 'localTime' as local_time,
      paused_at is not null as is_paused, finished_at is not null as is_finished,
      cancelled_at is not null as is_cancelled, recalled_at is not null as is_recalled
    from messages where app_id = ${appId} and id = any(${[...ids]}::uuid[])`)
}
