import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isHeld } from '../../installations/connections/is-connected-now.ts'
import type { MessageContent } from '../../messages/compose/compose-message.ts'
import type { Product } from '../../messages/compose/expiry.ts'
import { isUnclear } from '../control/cancelled-store.ts'
import { clearForHours } from './extend-recalls.ts'
import { takesSilentPush } from './silent-push.ts'

export interface UnlistedRecall {
  app_id: number
  message_id: string
  listed_up_to: number
  product: Product
  body: MessageContent
}

export interface RecalledDevice {
  installation_no: number
  is_connected: boolean
  /** The provider of its token; `mixed` where there is none. */
  stream: string
  /** A silent push reaches it. */
  is_pushed: boolean
  /** The message was being sent over its connection when it was cancelled or refused, so the device may have it. */
  is_cancelled: boolean
}

const installationsPerBatch = 200

/** Recalls of messages that are no longer being sent: no batch is queued, paused, or unclear. */
export async function listUnlisted(database: Database): Promise<UnlistedRecall[]> {
  return database.query<UnlistedRecall>(
    sql`select r.app_id, r.message_id, r.listed_up_to, m.product, m.body
        from recalls r join messages m on m.app_id = r.app_id and m.id = r.message_id
        where r.listed_at is null
          and not exists (select from code_returns c where c.app_id = r.app_id and c.message_id = r.message_id)
          and not exists (
            select from delivery_batches b
            where b.app_id = r.app_id and b.message_id = r.message_id and (b.state in ('queued', 'paused') or ${isUnclear}))
        limit 100`,
    'list-unlisted-recalls',
  )
}

/** The next devices on which the message may be, with the mark of the inbox from now on. */
export async function listDevices(
  tx: Transaction,
  { app_id: appId, message_id: messageId, listed_up_to: after }: UnlistedRecall,
  { states, limit }: { states: readonly string[]; limit: number },
): Promise<RecalledDevice[]> {
  return tx.query<RecalledDevice>(
    sql`with part as materialized (
          select installation_no, state = 'ended' and reason in ('cancelled', 'refused') as is_cancelled from deliveries
          where app_id = ${appId} and message_id = ${messageId} and installation_no > ${after}
            and (state = any(${states}::text[]) or state = 'ended' and (
              reason = 'unknown' and ${states.length > 0}
              or (reason = 'cancelled' or detail_code = 'other-user') and provider = 'connection'))
          order by installation_no limit ${limit} for update
        ), marked as (
          update deliveries d set in_inbox = true from part
          where d.app_id = ${appId} and d.message_id = ${messageId} and d.installation_no = part.installation_no and not d.in_inbox
        )
        select p.installation_no, p.is_cancelled, coalesce(c.is_held, false) as is_connected,
          coalesce(d.token_provider, 'mixed') as stream,
          coalesce(${takesSilentPush}, false) as is_pushed
        from part p
        left join installations i on i.app_id = ${appId} and i.installation_no = p.installation_no
        left join installation_details d on d.app_id = ${appId} and d.installation_no = p.installation_no
        left join lateral (
          select ${isHeld} as is_held from connections c where c.app_id = ${appId} and c.installation_no = p.installation_no offset 0
        ) c on true
        order by p.installation_no`,
    'list-recalled-devices',
  )
}

/** Who is connected is told there first: the push comes when it was not acknowledged. */
export async function storePart(
  tx: Transaction,
  { app_id: appId, message_id: messageId, listed_up_to: before }: UnlistedRecall,
  devices: readonly RecalledDevice[],
  { isLast, connectedWaitMs }: { isLast: boolean; connectedWaitMs: number },
): Promise<void> {
  const handedOver = devices.filter((device) => !device.is_cancelled)
  const batches = [...Map.groupBy(handedOver.filter(isToldNow), batchKey).values()].flatMap(cut)
  await tx.query(sql`
    insert into recall_batches (app_id, message_id, stream, installation_nos, expires_at, available_at)
    select ${appId}, ${messageId}, stream, numbers::bigint[],
      (select greatest(m.expires_at, peyk_now() + ${clearForHours} * interval '1 hour') from messages m where m.app_id = ${appId} and m.id = ${messageId}),
      peyk_now() + wait_ms * interval '1 millisecond'
    from ${unnestRows(batches, 'b', {
      stream: ['text', ([first]) => first?.stream],
      numbers: ['text', (batch) => `{${batch.map((device) => device.installation_no).join(',')}}`],
      wait_ms: ['int', ([first]) => (first?.is_connected ? connectedWaitMs : 0)],
    })}`)
  const rows = await tx.query(sql`
    update recalls
    set handed_over = handed_over + ${handedOver.length}, listed_up_to = ${devices.at(-1)?.installation_no ?? before},
      listed_at = case when ${isLast} then peyk_now() end
    where app_id = ${appId} and message_id = ${messageId} and listed_up_to = ${before} and listed_at is null returning 1`)
  if (rows.length === 0) throw new Error('The devices of a recalled message were listed by somebody else.')
}

/** Of who is connected and has no provider, too, it is known by then. */
function isToldNow({ is_pushed, is_connected }: RecalledDevice): boolean {
  return is_pushed || is_connected
}

function batchKey({ stream, is_connected }: RecalledDevice): string {
  return `${stream} ${is_connected}`
}

function cut(devices: readonly RecalledDevice[]): RecalledDevice[][] {
  const parts: RecalledDevice[][] = []
  for (let start = 0; start < devices.length; start += installationsPerBatch)
    parts.push(devices.slice(start, start + installationsPerBatch))
  return parts
}
