import sql, { type Sql } from 'sql-template-tag'
import type { Context } from '../../../base/context.ts'
import { endOf, type Lease } from '../../../base/lease.ts'
import type { Transaction } from '../../../base/store/store.ts'
import { onChannel, onlyOpen } from '../../messages/accept/recipients-condition.ts'
import { readMessageChannel } from '../../messages/compose/message-channel.ts'
import { type Audience, compileAudience } from '../../segments/compile/compile-audience.ts'
import { countForgotten } from '../progress/count-forgotten.ts'
import { streamOfToken } from '../token-checks/token-provider.ts'

const installationsPerBatch = 500
const firstReach = 65_536
const longestReach = 2_000_000
const goodChunkMs = 1_000
const denseShare = 10

interface Expanding {
  app_id: number
  label: string
  batch_no: number
  message_id: string
  expanded_up_to: number
  /** Null when an older version accepted the message. */
  audience_id: string | null
}

interface MessageRow {
  accepted_at: Date
  is_cancelled: boolean
  is_paused: boolean
  expires_at: Date
  is_expired: boolean
  channel: string
  target: Audience | null
  live: boolean
}

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

/**
 * Cuts the audience of a group message, as it was written down when the message was accepted, into batches by provider.
 * That happens inside PostgreSQL and a range of installation numbers at a time: each range is one commit that also says how far it came, so that whoever takes over goes on from there. Answers
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
        where state = 'queued' and lane = 'group' and stream = 'expand' and available_at <= peyk_now()
        order by available_at limit 1 for update skip locked
      ) due, apps a
      where b.app_id = due.app_id and b.batch_no = due.batch_no and a.app_id = b.app_id
      returning b.app_id, a.label, b.batch_no, b.message_id, coalesce(b.expanded_up_to, 0) as expanded_up_to,
        b.audience_id`,
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
          expires_at, expires_at <= peyk_now() as is_expired, channel, target, coalesce((body->>'live')::boolean, false) as live
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
      update delivery_batches set state = ${state}, expanded_up_to = ${from}, lease_holder = null, available_at = peyk_now() where ${ofBatch}`)
    return undefined
  }
  const { to, isLast, isDense } = await findRange(tx, batch, from, reach)
  const held = await tx.query(
    isLast
      ? sql`delete from delivery_batches where ${ofBatch} returning 1`
      : sql`update delivery_batches set expanded_up_to = ${to}, available_at = ${endOf(lease)} where ${ofBatch} returning 1`,
  )
  if (held.length === 0) return undefined
  const found =
    batch.audience_id === null
      ? await byRules(services, tx, batch, message)
      : listed(appId, batch.audience_id, from, to)
  // PostgreSQL takes every list for a short one, and would look up each installation alone.
  if (isDense) await tx.query(sql`select set_config('enable_nestloop', 'off', true)`)
  const [cut] = await tx.query<{ gone: number }>(sql`
    with found as materialized (
      select installation_no from (${found}) f where installation_no > ${from} and installation_no <= ${to}
    ), there as materialized (
      select f.installation_no, ${streamOfToken} as stream
      from found f join installation_details d on d.installation_no = f.installation_no
      where d.app_id = ${appId} and d.installation_no > ${from} and d.installation_no <= ${to}
    ), cut as (
      insert into delivery_batches (app_id, message_id, lane, stream, expires_at, installation_nos)
      select ${appId}, ${messageId}, 'group', stream, ${message.expires_at}::timestamptz, array_agg(installation_no order by installation_no)
      from (
        select installation_no, stream, (row_number() over (partition by stream order by installation_no) - 1) / ${installationsPerBatch} as part
        from there
      ) numbered
      group by stream, part order by part, stream
    )
    select (select count(*) from found) - (select count(*) from there) as gone`)
  await countForgotten(tx, [{ appId, messageId, reason: 'gone', count: cut?.gone ?? 0, at: services.now() }])
  return isLast ? undefined : to
}

interface Range {
  to: number
  isLast: boolean
  /** So many of the range are listed that reading all of it takes less than looking for each. */
  isDense: boolean
}

/** Up to where the next range goes: about as far as the reach, to the end of a part of what is listed. */
async function findRange(
  tx: Transaction,
  { app_id: appId, audience_id: audienceId }: Expanding,
  from: number,
  reach: number,
): Promise<Range> {
  if (audienceId === null) {
    const [last] = await tx.query<{ number: number | null }>(
      sql`select max(installation_no) as number from installations where app_id = ${appId}`,
      'read-last-installation',
    )
    return { to: from + reach, isLast: from + reach >= (last?.number ?? 0), isDense: false }
  }
  const parts = await tx.query<{ up_to: number; count: number }>(
    sql`select up_to, count from audience_parts
        where app_id = ${appId} and audience_id = ${audienceId} and up_to > ${from} order by up_to`,
    'list-audience-parts',
  )
  const within = parts.filter(({ up_to }) => up_to <= from + reach)
  const to = within.at(-1)?.up_to ?? parts[0]?.up_to ?? from
  const count = parts.reduce((sum, part) => sum + (part.up_to <= to ? part.count : 0), 0)
  return { to, isLast: to >= (parts.at(-1)?.up_to ?? 0), isDense: count * denseShare > to - from }
}

function listed(appId: number, audienceId: string, from: number, to: number): Sql {
  return sql`
    select unnest(installation_nos) as installation_no from audience_parts
    where app_id = ${appId} and audience_id = ${audienceId} and up_to > ${from} and up_to <= ${to}`
}

/** A message that a process of an older version has accepted says by rules whom it goes to. */
async function byRules(services: Services, tx: Transaction, batch: Expanding, message: MessageRow): Promise<Sql> {
  const app = { id: batch.app_id, label: batch.label }
  const audience = message.target ?? { target: {} }
  const options = { wasAccepted: true }
  const condition = await compileAudience({ ...services, app, tx }, audience, message.accepted_at, options)
  const { subscription } = readMessageChannel(message.channel)
  return sql`select i.installation_no from installations i where ${condition}${onChannel(subscription)}${onlyOpen(message)}`
}
