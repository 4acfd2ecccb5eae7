import type { DeliveryReason } from '@peyk/contract'
import sql, { empty } from 'sql-template-tag'
import { defineBatch } from '#base/batch.ts'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isForgottenInstallation } from '../../installations/users/forgotten-users.ts'
import { noteCapped } from '../hand-over/note-capped.ts'
import { giveHandOversBack } from '../hand-over/reserve-hand-overs.ts'
import { insertDelivered } from '../inbox/insert-delivered.ts'
import { releaseRefused } from '../other-user/release-refused.ts'
import { advanceDeliveries, type DeliveryStep } from '../progress/advance-deliveries.ts'
import type { DeliveryKey } from '../progress/delivery-places-store.ts'
import { emitFailures } from './emit-failures.ts'
import type { Settled } from './held-batch.ts'
import { insertAttempts } from './insert-attempts.ts'
import { isPlain, settlePlain } from './settle-plain.ts'
import { isForInbox, type Settlement, withPresentTimes } from './settlement.ts'

export interface SettleAnswer {
  isOurs: boolean
  /** Nobody had heard of its deliveries before. */
  areNew: boolean
}

/**
 * Stores what became of batches, many in one commit. A batch that is not ours any more is left as it is: whoever has
 * it now says what became of it.
 */
export const settleBatch = defineBatch<Settlement, SettleAnswer>({
  name: 'settlements',
  maxWeight: 4_000,
  weight: ({ settled, putBacks }) => 1 + settled.length + putBacks.length,
  laneKey: keyOf,
  lanes: 1,
  refresh: (settlement, { now }) => withPresentTimes(settlement, now()),
  fastPath: {
    isEligible: isPlain,
    flush: async (store, settlements) => {
      const isStored = await settlePlain(store, settlements)
      return isStored.map((stored) => (stored ? { isOurs: true, areNew: true } : undefined))
    },
  },
  flush: async (tx, settlements, { store, now }) => {
    const ours = await keepOurs(tx, settlements)
    const kept = settlements.filter((settlement) => ours.has(keyOf(settlement)))
    let areNew = false
    if (kept.length > 0) {
      await putBackRest(tx, kept)
      await insertAttempts(tx, kept)
      await emitFailures(tx, store, kept)
      const steps = kept.flatMap(stepsOf)
      const { moved, unmoved } = await advanceDeliveries(tx, steps)
      areNew = moved.length === steps.length && moved.every(({ was }) => was === undefined)
      const acknowledged = [...moved.filter(({ state }) => state === 'delivered'), ...acknowledgedOf(unmoved, steps)]
      if (acknowledged.length > 0) await insertDelivered(tx, acknowledged, now())
      await giveBackUnreached(tx, kept)
      await releaseRefused(tx, kept.flatMap(refusedOf))
      await noteCapped(tx, store, kept)
    }
    return settlements.map((settlement) => ({ isOurs: ours.has(keyOf(settlement)), areNew }))
  },
})

/** Its device reported something before, and had come further by that. */
function acknowledgedOf(unmoved: readonly DeliveryKey[], steps: readonly DeliveryStep[]): DeliveryKey[] {
  if (unmoved.length === 0) return []
  const textOf = ({ messageId, installationNo }: DeliveryKey) => `${messageId} ${installationNo}`
  const acknowledged = new Set(steps.filter(({ state }) => state === 'delivered').map(textOf))
  return unmoved.filter((key) => acknowledged.has(textOf(key)))
}

/** A message with a category that came to nobody is not counted against caps. */
async function giveBackUnreached(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  for (const { appId, message, settled } of settlements) {
    if (message.rules?.category === undefined) continue
    const installationNos = settled.flatMap(({ state, reason, installationNo }) =>
      state === 'ended' && reason !== 'unknown' && !neverCounted.has(reason) ? [installationNo] : [],
    )
    if (installationNos.length > 0) await giveHandOversBack(tx, { appId, messageId: message.id, installationNos })
  }
}

/** Deliveries refused because somebody else uses the installation, if something taken for them has to be returned. */
function refusedOf({ appId, message, settled }: Settlement): DeliveryKey[] {
  if (!message.test && !message.compiled.needsPromoCode) return []
  return settled.flatMap(({ detailCode, installationNo }) =>
    detailCode === 'other-user' ? [{ appId, messageId: message.id, installationNo }] : [],
  )
}

const neverCounted: ReadonlySet<DeliveryReason | undefined> = new Set(['control', 'unsubscribed', 'capped'])

export function withoutDetails(settlement: Settlement): Settlement {
  return {
    ...settlement,
    settled: settlement.settled.map(({ detail: _detail, attempt: _attempt, ...known }) => known),
    putBacks: settlement.putBacks.map(({ attempt: _attempt, ...putBack }) => putBack),
  }
}

function keyOf({ appId, batchNo }: { appId: number; batchNo: number }): string {
  return `${appId}/${batchNo}`
}

/** Thousands at a time: written out because spreading what may be missing takes several times as long. */
function stepsOf({ appId, message, languages, variants, settled }: Settlement): DeliveryStep[] {
  const { id: messageId, recipients } = message
  return settled.map(
    ({
      installationNo,
      state,
      reason,
      provider,
      detail,
      detailCode,
      detailProvider,
      platform,
      at,
      isNotified,
      isKept,
    }) => {
      const step: DeliveryStep = { appId, messageId, installationNo, recipients, state, at }
      if (reason) step.reason = reason
      if (provider) step.provider = provider
      if (detail) step.detail = detail
      if (detailCode) step.detailCode = detailCode
      if (detailProvider) step.detailProvider = detailProvider
      if (platform) step.platform = platform
      if (languages && isHandedOver(state, reason)) step.language = languages.get(installationNo)
      const assigned = variants?.get(installationNo)
      if (assigned && 'variant' in assigned) {
        step.variant = assigned.variant
        step.testedAt = assigned.testedAt
      }
      if (isForInbox(message, { state, isNotified, isKept })) {
        step.inInbox = true
        if (message.hasOwnEnd) step.expiresAt = message.expiresAt
      }
      return step
    },
  )
}

/** Whether it may have reached somebody. */
function isHandedOver(state: Settled['state'], reason: Settled['reason']): boolean {
  return state !== 'ended' || reason === 'unknown'
}

/** Final ones are deleted, the others renewed with what is left in them; both only with the holder's name on them. */
async function keepOurs(tx: Transaction, settlements: readonly Settlement[]): Promise<Set<string>> {
  const rows = await tx.query<{ key: string }>(
    sql`
      with k as materialized (
        select * from ${unnestRows(settlements, 'k', {
          app_id: ['int', ({ appId }) => appId],
          batch_no: ['bigint', ({ batchNo }) => batchNo],
          holder: ['uuid', ({ lease }) => lease.holder],
          lease_ms: ['int', ({ lease }) => lease.ms],
          is_final: ['boolean', ({ isFinal }) => isFinal],
          is_stopped: ['boolean', ({ isStopped }) => isStopped],
          released: ['text', releasedOf],
        })}
      ), ended as (
        delete from delivery_batches b using k
        where k.is_final and b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = k.holder
        returning b.app_id, b.batch_no
      ), renewed as (
        update delivery_batches b
        set available_at = peyk_now() + k.lease_ms * interval '1 millisecond',
          stopped_at = case when k.is_stopped then peyk_now() else b.stopped_at end,
          installation_nos = case when k.released = '{}' then b.installation_nos else array(
            select number from unnest(b.installation_nos) with ordinality as n(number, place)
            where number <> all (k.released::bigint[]) order by place) end
        from k
        where not k.is_final and b.app_id = k.app_id and b.batch_no = k.batch_no and b.lease_holder = k.holder
        returning b.app_id, b.batch_no
      )
      select app_id || '/' || batch_no as key from ended union all select app_id || '/' || batch_no from renewed`,
    'keep-our-batches',
  )
  return new Set(rows.map((row) => row.key))
}

function releasedOf({ isFinal, putBacks }: Settlement): string {
  return `{${isFinal ? '' : putBacks.map(({ installationNo }) => installationNo).join(',')}}`
}

interface NewBatch {
  appId: number
  messageId: string
  lane: string
  stream: string
  state: 'queued' | 'paused'
  attempts: number
  wasUnclear: boolean
  isPaced: boolean
  awaitsWinner: boolean
  afterMs: number
  expiresAt: Date
  numbers: number[]
}

const roundingMs = 1_000

/** What is to be tried again goes back by provider, so that a slow one keeps only its own waiting. Not later than it expires. */
async function putBackRest(tx: Transaction, settlements: readonly Settlement[]): Promise<void> {
  const batches = settlements.flatMap(toNewBatches)
  if (batches.length === 0) return
  await leavePausedOnly(tx, batches)
  const paced = batches.filter(({ isPaced }) => isPaced)
  if (paced.length > 0) await insertBatches(tx, paced, true)
  if (paced.length < batches.length)
    await insertBatches(tx, paced.length > 0 ? batches.filter(({ isPaced }) => !isPaced) : batches, false)
}

async function insertBatches(tx: Transaction, batches: readonly NewBatch[], arePaced: boolean): Promise<void> {
  const availableAt = sql`greatest(peyk_now(), least(peyk_now() + after_ms * interval '1 millisecond', expires_at))`
  await tx.query(
    sql`
      insert into delivery_batches (app_id, message_id, lane, stream, state, attempts, was_unclear, awaits_winner, installation_nos, expires_at, available_at${arePaced ? sql`, paced_from` : empty})
      select app_id, message_id, lane, stream, state, attempts, was_unclear, nullif(awaits_winner, false), array(
          select number from unnest(b.numbers::bigint[]) with ordinality as n(number, place)
          where not ${isForgottenInstallation(sql`b.app_id`, sql`n.number`)} order by place),
        expires_at, ${arePaced ? sql`expires_at, ${availableAt}` : availableAt}
      from unnest(
        ${batches.map((batch) => batch.appId)}::int[], ${batches.map((batch) => batch.messageId)}::uuid[],
        ${batches.map((batch) => batch.lane)}::text[], ${batches.map((batch) => batch.stream)}::text[],
        ${batches.map((batch) => batch.state)}::text[], ${batches.map((batch) => batch.attempts)}::int[],
        ${batches.map((batch) => batch.wasUnclear)}::boolean[], ${batches.map((batch) => `{${batch.numbers.join(',')}}`)}::text[],
        ${batches.map((batch) => batch.afterMs)}::double precision[],
        ${batches.map((batch) => batch.expiresAt.toISOString())}::timestamptz[],
        ${batches.map((batch) => batch.awaitsWinner)}::boolean[]
      ) as b(app_id, message_id, lane, stream, state, attempts, was_unclear, numbers, after_ms, expires_at, awaits_winner)`,
    arePaced ? 'put-back-paced-batches' : 'put-back-batches',
  )
}

/** The message may have been resumed since it was seen paused. Its lock keeps it as it is until the batch is there. */
async function leavePausedOnly(tx: Transaction, batches: readonly NewBatch[]): Promise<void> {
  const paused = batches.filter(({ state }) => state === 'paused')
  if (paused.length === 0) return
  const rows = await tx.query<{ id: string; is_paused: boolean }>(sql`
    select id, paused_at is not null as is_paused from messages
    where app_id = any(${paused.map(({ appId }) => appId)}::int[]) and id = any(${paused.map(({ messageId }) => messageId)}::uuid[])
    order by app_id, id for share`)
  const still = new Set(rows.filter((row) => row.is_paused).map(({ id }) => id))
  for (const batch of paused) if (!still.has(batch.messageId)) batch.state = 'queued'
}

/** Those that are to wait about equally long go together; none waits shorter than it should. */
function toNewBatches({ appId, message, lane, attempts, putBacks }: Settlement): NewBatch[] {
  const groups = new Map<string, NewBatch>()
  for (const putBack of putBacks) {
    const { installationNo, provider, afterMs, isInInbox } = putBack
    const { isPaused = false, wasUnclear = false, awaitsWinner = false } = putBack
    const waitMs = Math.ceil(afterMs / roundingMs) * roundingMs
    const isPaced = message.isPaced && !isInInbox
    const key = `${provider} ${isPaused} ${wasUnclear} ${isPaced} ${awaitsWinner} ${waitMs}`
    const group = groups.get(key) ?? {
      appId,
      messageId: message.id,
      lane,
      stream: provider,
      state: isPaused ? 'paused' : 'queued',
      attempts,
      wasUnclear,
      isPaced,
      awaitsWinner,
      afterMs: waitMs,
      expiresAt: message.expiresAt,
      numbers: [],
    }
    group.numbers.push(installationNo)
    groups.set(key, group)
  }
  return [...groups.values()]
}
