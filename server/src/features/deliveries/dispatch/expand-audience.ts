import sql, { raw, type Sql } from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import { endOf, type Lease } from '#base/lease.ts'
import type { Transaction } from '#base/store/store.ts'
import { onChannel, onlyOpen } from '../../messages/accept/recipients-condition.ts'
import { readMessageChannel } from '../../messages/compose/message-channel.ts'
import { shortenMessage } from '../../messages/local-time/shorten-message.ts'
import { type Audience, compileAudience } from '../../segments/compile/compile-audience.ts'
import { type Cutting, cutByMoment, installationsPerBatch } from '../local-time/cut-by-moment.ts'
import { countForgotten } from '../progress/count-forgotten.ts'

const firstReach = 65_536
const longestReach = 2_000_000
const goodChunkMs = 1_000
const denseShare = 10

/** Where an audience waits to be cut: into batches that go now, or at the local times of their users. */
type ExpandingLane = 'group' | 'later'

interface Expanding {
  app_id: number
  label: string
  batch_no: number
  message_id: string
  expanded_up_to: number
  /** Null when an older version accepted the message. */
  audience_id: string | null
  /** Of a message to named users that goes at a local time; else null. */
  installation_nos: string[] | null
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
  /** It goes at the local times of its users. */
  is_local: boolean
  is_paced: boolean
}

type Services = Pick<Context, 'store' | 'now' | 'log' | 'external'>

/**
 * Cuts the audience of a group message, as it was written down when the message was accepted, into batches by provider.
 * That happens inside PostgreSQL and a range of installation numbers at a time: each range is one commit that also says how far it came, so that whoever takes over goes on from there. Answers
 * whether there was something to expand. `onProgress` says whether to go on.
 */
export async function expandAudience(
  services: Services,
  lease: Lease,
  onProgress: () => boolean,
  lane: ExpandingLane = 'group',
): Promise<boolean> {
  const batch = await takeAudience(services, lease, lane)
  if (!batch) return false
  let reach = firstReach
  let from = batch.expanded_up_to
  for (;;) {
    const startedAt = performance.now()
    const next = await services.store.transaction((tx) => expandRange(services, tx, batch, lease, from, reach))
    if (next === undefined && lane === 'later') {
      await shortenMessage(services.store, { appId: batch.app_id, messageId: batch.message_id })
    }
    const mayGoOn = onProgress()
    if (next === undefined || !mayGoOn) return true
    from = next
    if (performance.now() - startedAt < goodChunkMs) reach = Math.min(reach * 2, longestReach)
  }
}

async function takeAudience({ store }: Services, lease: Lease, lane: ExpandingLane): Promise<Expanding | undefined> {
  const [row] = await store.query<Expanding>(
    sql`
      update delivery_batches b
      set lease_holder = ${lease.holder}, available_at = ${endOf(lease)}, attempts = b.attempts + 1
      from (
        select app_id, batch_no from delivery_batches
        where state = 'queued' and lane = ${raw(`'${lane}'`)} and stream = 'expand' and available_at <= peyk_now()
        order by available_at limit 1 for update skip locked
      ) due, apps a
      where b.app_id = due.app_id and b.batch_no = due.batch_no and a.app_id = b.app_id
      returning b.app_id, a.label, b.batch_no, b.message_id, coalesce(b.expanded_up_to, 0) as expanded_up_to,
        b.audience_id, b.installation_nos`,
    lane === 'group' ? 'take-audience' : 'take-audience-for-later',
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
          expires_at, expires_at <= peyk_now() as is_expired, channel, target, coalesce((body->>'live')::boolean, false) as live,
          body ? 'localTime' as is_local, body ? 'throttle' as is_paced
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
  const [held] = await tx.query<Pick<Expanding, 'installation_nos'>>(
    isLast
      ? sql`delete from delivery_batches where ${ofBatch} returning installation_nos`
      : sql`update delivery_batches set expanded_up_to = ${to}, available_at = ${endOf(lease)} where ${ofBatch} returning installation_nos`,
  )
  if (!held) return undefined
  // Who was deleted since the batch was taken is not in its list any more, and was counted.
  const source = await findListed(services, tx, { ...batch, ...held }, message, { from, to })
  const found = sql`select installation_no from (${source}) f where installation_no > ${from} and installation_no <= ${to}`
  // PostgreSQL takes every list for a short one, and would look up each installation alone.
  if (isDense) await tx.query(sql`select set_config('enable_nestloop', 'off', true)`)
  const cutting = { appId, messageId, found, from, to, at: services.now() }
  const gone = message.is_local ? await cutByMoment(tx, cutting) : await cutByProvider(tx, { ...cutting, message })
  await countForgotten(tx, [{ appId, messageId, reason: 'gone', count: gone, at: services.now() }])
  return isLast ? undefined : to
}

async function cutByProvider(
  tx: Transaction,
  { appId, messageId, found, from, to, message }: Cutting & { message: MessageRow },
): Promise<number> {
  const [cut] = await tx.query<{ gone: number }>(sql`
    with found as materialized (${found}), there as materialized (
      select f.installation_no, coalesce(d.token_provider, 'mixed') as stream
      from found f join installation_details d on d.installation_no = f.installation_no
      where d.app_id = ${appId} and d.installation_no > ${from} and d.installation_no <= ${to}
    ), cut as (
      insert into delivery_batches (app_id, message_id, lane, stream, expires_at, available_at, paced_from, installation_nos)
      select ${appId}, ${messageId}, 'group', stream, ${message.expires_at}::timestamptz, ${turnOf(message)}, array_agg(installation_no order by installation_no)
      from (
        select installation_no, stream, (row_number() over (partition by stream order by installation_no) - 1) / ${installationsPerBatch} as part
        from there
      ) numbered
      group by stream, part order by part, stream
    )
    select (select count(*) from found) - (select count(*) from there) as gone`)
  return cut?.gone ?? 0
}

/** When a batch may be taken, and from when it waits for its turn at the pace of its message (deliveries/pace). */
function turnOf({ is_paced, expires_at }: MessageRow): Sql {
  return is_paced ? sql`${expires_at}::timestamptz, peyk_now()` : sql`peyk_now(), null::timestamptz`
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
  { app_id: appId, audience_id: audienceId, installation_nos: numbers }: Expanding,
  from: number,
  reach: number,
): Promise<Range> {
  if (numbers !== null) return { to: Math.max(from, ...numbers.map(Number)), isLast: true, isDense: false }
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

/** The installations of a message; those of the range, where they are written down by ranges. */
async function findListed(
  services: Services,
  tx: Transaction,
  batch: Expanding,
  message: MessageRow,
  { from, to }: { from: number; to: number },
): Promise<Sql> {
  const { app_id: appId, audience_id: audienceId, installation_nos: numbers } = batch
  if (numbers !== null) return sql`select unnest(${numbers}::bigint[]) as installation_no`
  return audienceId === null ? byRules(services, tx, batch, message) : listed(appId, audienceId, from, to)
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
  const options = { wasAccepted: true, createdBy: message.accepted_at }
  const condition = await compileAudience({ ...services, app, tx }, audience, message.accepted_at, options)
  const { subscription } = readMessageChannel(message.channel)
  return sql`select i.installation_no from installations i where ${condition}${onChannel(subscription)}${onlyOpen(message)}`
}
