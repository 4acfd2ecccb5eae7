import sql from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import type { Transaction } from '../../../base/store/store.ts'
import { onChannel, onlyOpen } from '../../messages/count-audience.ts'
import { readMessageChannel } from '../../messages/message-channel.ts'
import { type Audience, compileAudience } from '../../segments/compile-audience.ts'
import { endOf, type Lease } from './take-batches.ts'

const installationsPerBatch = 500
const firstReach = 50_000
const longestReach = 2_000_000
const goodChunkMs = 1_000

interface Expanding {
  app_id: number
  label: string
  batch_no: number
  message_id: string
  expanded_up_to: number
}

interface MessageRow {
  accepted_at: Date
  is_cancelled: boolean
  is_paused: boolean
  is_expired: boolean
  channel: string
  target: Audience | null
  live: boolean
}

type Services = Pick<Context, 'store' | 'now' | 'log' | 'outside'>

/**
 * Cuts the audience of a group message into batches, inside PostgreSQL and a range of installation numbers at a time:
 * each range is one commit that also says how far it came, so that whoever takes over goes on from there. Answers
 * whether there was something to expand. `onProgress` says whether to go on.
 */
export async function expandAudience(services: Services, lease: Lease, onProgress: () => boolean): Promise<boolean> {
  const batch = await takeAudience(services, lease)
  if (!batch) return false
  let reach = firstReach
  let from = batch.expanded_up_to
  for (;;) {
    const startedAt = performance.now()
    const next = await services.store.transaction((tx) => expandRange(services, tx, batch, lease, from, reach))
    const mayGoOn = onProgress()
    if (next === undefined || !mayGoOn) return true
    from = next
    if (performance.now() - startedAt < goodChunkMs) reach = Math.min(reach * 2, longestReach)
  }
}

async function takeAudience({ store }: Services, lease: Lease): Promise<Expanding | undefined> {
  const [row] = await store.query<Expanding>(
    sql`
      update delivery_batches b
      set lease_holder = ${lease.holder}, available_at = ${endOf(lease)}, attempts = b.attempts + 1
      from (
        select app_id, batch_no from delivery_batches
        where state = 'queued' and lane = 'group' and stream = 'expand' and available_at <= now()
        order by available_at limit 1 for update skip locked
      ) due, apps a
      where b.app_id = due.app_id and b.batch_no = due.batch_no and a.app_id = b.app_id
      returning b.app_id, a.label, b.batch_no, b.message_id, coalesce(b.expanded_up_to, 0) as expanded_up_to`,
    'take-audience',
  )
  return row
}

/** Where the next range begins; undefined when this was the last, or the batch is not ours any more. */
async function expandRange(
  services: Services,
  tx: Transaction,
  batch: Expanding,
  lease: Lease,
  from: number,
  reach: number,
): Promise<number | undefined> {
  const { app_id: appId, batch_no: batchNo, message_id: messageId } = batch
  const ofBatch = sql`app_id = ${appId} and batch_no = ${batchNo} and lease_holder = ${lease.holder} and state = 'queued'`
  // Who cancels or pauses it does not wait for the range: what that still brings is stopped when it is taken.
  const [message] = await tx.query<MessageRow>(
    sql`select accepted_at, cancelled_at is not null as is_cancelled, paused_at is not null as is_paused,
          expires_at <= now() as is_expired, channel, target, coalesce((body->>'live')::boolean, false) as live
        from messages where app_id = ${appId} and id = ${messageId} for key share`,
    'read-expanding-message',
  )
  if (!message) {
    await tx.query(sql`delete from delivery_batches where ${ofBatch}`)
    return undefined
  }
  if (message.is_cancelled || (message.is_paused && !message.is_expired)) {
    const state = message.is_cancelled ? 'cancelled' : 'paused'
    await tx.query(sql`
      update delivery_batches set state = ${state}, expanded_up_to = ${from}, lease_holder = null, available_at = now() where ${ofBatch}`)
    return undefined
  }
  const [last] = await tx.query<{ number: number | null }>(
    sql`select max(installation_no) as number from installations where app_id = ${appId}`,
    'read-last-installation',
  )
  const to = from + reach
  const isLast = to >= (last?.number ?? 0)
  const held = await tx.query(
    isLast
      ? sql`delete from delivery_batches where ${ofBatch} returning 1`
      : sql`update delivery_batches set expanded_up_to = ${to}, available_at = ${endOf(lease)} where ${ofBatch} returning 1`,
  )
  if (held.length === 0) return undefined
  const app = { id: appId, label: batch.label }
  const condition = await compileAudience(
    { ...services, app, tx },
    message.target ?? { target: {} },
    message.accepted_at,
    { wasAccepted: true },
  )
  await tx.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
    select ${appId}, ${messageId}, 'group', stream, array_agg(installation_no order by installation_no)
    from (
      select installation_no, stream, (row_number() over (partition by stream order by installation_no) - 1) / ${installationsPerBatch} as part
      from (
        select i.installation_no, case i.device_type when 'ios' then 'apns' when 'web' then 'webpush' else 'fcm' end as stream
        from installations i
        where ${condition}${onChannel(readMessageChannel(message.channel).subscription)}${onlyOpen(message)}
          and i.installation_no > ${from} and i.installation_no <= ${to}
      ) found
    ) numbered
    group by stream, part order by part, stream`)
  return isLast ? undefined : to
}
