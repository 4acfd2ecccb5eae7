import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'

/** Recipients of a cancelled message that have no delivery yet. */
export interface CancelledPart {
  appId: number
  messageId: string
  /** All recipients of the message. */
  recipients: number
  /** `unknown` if a push got no clear answer: the device may have the message. */
  reason: 'cancelled' | 'unknown'
  provider: string | undefined
  at: Date
  installationNos: number[]
  /** Listed devices that no longer exist. */
  deleted: number
}

const batchesPerCommit = 10
const devicesPerCommit = 5_000

/** Promo codes are returned first, because only the batches tell which codes nobody has seen. */
const isSettled = sql`not exists (select from code_returns c where c.app_id = b.app_id and c.message_id = b.message_id)`

/** A batch that was held when its lease ended, or whose push got no answer, may have been sent. */
export const isUnclear = sql`(b.lease_holder is not null or b.was_unclear)`

/** Removes some cancelled batches with a list of devices. Returns undefined when there are no more. */
export async function takeListed(tx: Transaction): Promise<CancelledPart[] | undefined> {
  const rows = await tx.query<{
    app_id: number
    message_id: string
    recipients: number
    stream: string
    is_unclear: boolean
    at: Date
    numbers: string[]
  }>(
    sql`with part as materialized (
          select b.app_id, b.batch_no from delivery_batches b
          where b.state = 'cancelled' and b.installation_nos is not null and ${isSettled}
          order by b.app_id, b.batch_no limit ${batchesPerCommit} for update skip locked
        ), gone as (
          delete from delivery_batches b using part p where b.app_id = p.app_id and b.batch_no = p.batch_no
          returning b.app_id, b.message_id, b.stream, b.installation_nos, ${isUnclear} as is_unclear
        )
        select g.app_id, g.message_id, m.recipients, g.stream, g.is_unclear, peyk_now() as at, array(
            select l.number from unnest(g.installation_nos) as l(number)
            left join deliveries d on d.app_id = g.app_id and d.message_id = g.message_id and d.installation_no = l.number
            where d.state is null or d.state = 'queued' order by l.number) as numbers
        from gone g join messages m on m.app_id = g.app_id and m.id = g.message_id`,
    'take-cancelled-batches',
  )
  if (rows.length === 0) return undefined
  return rows.map((row) => ({
    appId: row.app_id,
    messageId: row.message_id,
    recipients: row.recipients,
    reason: row.is_unclear ? 'unknown' : 'cancelled',
    provider: row.is_unclear && providers.has(row.stream) ? row.stream : undefined,
    at: row.at,
    installationNos: row.numbers.map(Number),
    deleted: 0,
  }))
}

const providers: ReadonlySet<string> = new Set(['fcm', 'apns', 'webpush'])

/**
 * Takes the next devices of a cancelled audience that was not split into batches. Returns undefined when there are no
 * more. If an earlier version cancelled it, its list is gone: its batch stays and stands for all its devices.
 */
export async function takeFromAudience(tx: Transaction): Promise<CancelledPart[] | undefined> {
  const [row] = await tx.query<{
    app_id: number
    batch_no: number
    message_id: string
    recipients: number
    at: Date
    up_to: number
    is_last: boolean
    numbers: string[]
    listed: number
    last: number | null
  }>(
    sql`with open as materialized (
          select b.app_id, b.batch_no, b.message_id, b.audience_id, coalesce(b.expanded_up_to, 0) as done_up_to
          from delivery_batches b
          where b.state = 'cancelled' and b.installation_nos is null and ${isSettled} and exists (
            select from audience_parts p
            where p.app_id = b.app_id and p.audience_id = b.audience_id and p.up_to > coalesce(b.expanded_up_to, 0))
          order by b.app_id, b.batch_no limit 1 for update skip locked
        ), part as materialized (
          select p.up_to, p.installation_nos, (select max(up_to) from audience_parts where app_id = o.app_id and audience_id = o.audience_id) as end
          from open o join audience_parts p on p.app_id = o.app_id and p.audience_id = o.audience_id and p.up_to > o.done_up_to
          order by p.up_to limit 1
        ), listed as materialized (
          select l.number from open o, part p cross join lateral unnest(p.installation_nos) as l(number)
          where l.number > o.done_up_to order by l.number limit ${devicesPerCommit}
        )
        select o.app_id, o.batch_no, o.message_id, m.recipients, peyk_now() as at, p.up_to, p.up_to = p.end as is_last,
          array(select i.installation_no from listed join installations i on i.app_id = o.app_id and i.installation_no = listed.number
                order by 1) as numbers,
          (select count(*) from listed) as listed, (select max(number) from listed) as last
        from open o cross join part p join messages m on m.app_id = o.app_id and m.id = o.message_id`,
    'take-cancelled-audience',
  )
  if (!row) return undefined
  const { app_id: appId, batch_no: batchNo, numbers, listed } = row
  const isPartDone = listed < devicesPerCommit
  await tx.query(
    isPartDone && row.is_last
      ? sql`delete from delivery_batches where app_id = ${appId} and batch_no = ${batchNo}`
      : sql`update delivery_batches set expanded_up_to = ${isPartDone ? row.up_to : row.last}
            where app_id = ${appId} and batch_no = ${batchNo}`,
  )
  return [
    {
      appId,
      messageId: row.message_id,
      recipients: row.recipients,
      reason: 'cancelled',
      provider: undefined,
      at: row.at,
      installationNos: numbers.map(Number),
      deleted: listed - numbers.length,
    },
  ]
}
