import type { PersonalNotification } from '@peyk/contract'
import { defineBatch } from '#base/batch.ts'
import { announceWork } from '#base/bus/wake.ts'
import { type Context, inTransaction } from '#base/context.ts'
import { checkPushSizes } from '../check/check-push-size.ts'
import type { Product } from '../compose/expiry.ts'
import { traceAccepted } from '../message-traces.ts'
import { checkScheduleRoom } from '../schedule/check-schedule-room.ts'
import { readWhen, type When } from '../schedule/read-when.ts'
import { scheduleMessage } from '../schedule/schedule-message.ts'
import { personalKeys } from '../send/read-receivers.ts'
import { createSeries } from '../series/create-series.ts'
import { assignRisingIds } from './assign-rising-ids.ts'
import type { Accepted } from './draft-message.ts'
import { draftElements, draftPersonal, type PersonalDraft } from './draft-personal.ts'
import { findLeaseOffer, type LeaseOffer } from './leased-work.ts'
import { nameElement } from './name-element.ts'
import type { NamedDraft } from './named-draft.ts'
import { checkDeliveryQuota, checkSendQuota, countSends } from './send-quota.ts'
import { type StoredNamed, storeNamed, storeNamedAtOnce, storeNamedInParts } from './store-named.ts'
import { storePublic } from './store-public.ts'

export async function acceptPersonal(ctx: Context, sent: PersonalNotification, product: Product): Promise<Accepted> {
  checkSendQuota(ctx)
  const { repeat } = sent
  if (repeat != null) return createSeries(ctx, { ...sent, repeat }, { product, to: personalKeys })
  const when = readWhen(sent, ctx.now())
  if (when) await checkScheduleRoom(ctx, 1)
  if (when) return scheduleMessage(ctx, sent, { product, when, to: personalKeys })
  const draft = draftPersonal(sent, { appId: ctx.app.id, product, at: ctx.now(), begunAt: ctx.begunAt, clock: ctx.now })
  await checkPushSizes(ctx, [draft])
  const [accepted] = await storeDrafts(ctx, [draft])
  return accepted as Accepted
}

/** Stored whole or not at all, and answered in the order of the request [requests.md#responses]. */
export async function acceptPersonalArray(
  ctx: Context,
  sent: PersonalNotification[],
  product: Product,
): Promise<Accepted[]> {
  checkSendQuota(ctx, sent.length)
  if (sent.some(({ sendAt, repeat }) => sendAt !== undefined || repeat != null))
    return acceptSomeLater(ctx, sent, product)
  return acceptArrayNow(ctx, sent, product)
}

async function acceptArrayNow(ctx: Context, sent: PersonalNotification[], product: Product): Promise<Accepted[]> {
  const drafts = await draftElements(sent, {
    appId: ctx.app.id,
    product,
    at: ctx.now(),
    begunAt: ctx.begunAt,
    clock: ctx.now,
  })
  await checkPushSizes(ctx, drafts, { isList: true })
  return storeDrafts(ctx, drafts)
}

/** Of an array in which some say when they are to go, those that go now are stored as ever, all in one transaction. */
async function acceptSomeLater(ctx: Context, sent: PersonalNotification[], product: Product): Promise<Accepted[]> {
  const times = sent.map((message, index) => nameElement(index, () => readWhen(message, ctx.now())))
  const now = sent.filter(({ repeat }, index) => !times[index] && repeat == null)
  await checkScheduleRoom(ctx, times.filter((when, index) => when && sent[index]?.repeat == null).length)
  const accepted = await inTransaction(ctx, async (tx) => {
    const inner = { ...ctx, tx }
    const answers: Accepted[] = []
    const sentNow = now.length > 0 ? await acceptArrayNow(inner, now, product) : []
    for (const [index, message] of sent.entries()) {
      const later = await nameElement(index, () => acceptLater(inner, message, { product, when: times[index] }))
      answers.push(later ?? (sentNow.shift() as Accepted))
    }
    return answers
  })
  if (now.length > 0) announceWork(ctx.store)
  return accepted
}

async function acceptLater(
  ctx: Context,
  { repeat, ...sent }: PersonalNotification,
  { product, when }: { product: Product; when: When | undefined },
): Promise<Accepted | undefined> {
  if (repeat != null) return createSeries(ctx, { ...sent, repeat }, { product, to: personalKeys })
  return when && scheduleMessage(ctx, sent, { product, when, to: personalKeys })
}

/** A request with more users has a transaction of its own, so that small ones do not wait for it. */
const maxUsersTogether = 500

async function storeDrafts(ctx: Context, drafts: PersonalDraft[]): Promise<Accepted[]> {
  if (drafts.every(isNamed) && countUsers(drafts) <= maxUsersTogether) {
    const { accepted, leased, offer } = await storeTogether(ctx, drafts)
    traceAccepted(accepted)
    countSends(ctx, accepted)
    if (leased.length > 0) offer?.take(leased)
    const taken = new Set(leased.map(({ draft }) => draft.id))
    if (accepted.some(({ id, count }) => count > 0 && !taken.has(id))) announceWork(ctx.store)
    return accepted
  }
  const accepted = await storeInParts(ctx, drafts)
  traceAccepted(accepted)
  countSends(ctx, accepted)
  announceWork(ctx.store)
  return accepted
}

function storeInParts(ctx: Context, drafts: PersonalDraft[]): Promise<Accepted[]> {
  return inTransaction(ctx, async (tx) => {
    const raised = await assignRisingIds(tx, drafts)
    const accepted = [
      ...(await storeNamedInParts(tx, raised.filter(isNamed))),
      ...(await storePublic(
        { ...ctx, tx },
        raised.filter((draft) => !isNamed(draft)),
      )),
    ]
    checkDeliveryQuota(ctx, accepted)
    const byId = new Map(accepted.map((answer) => [answer.id, answer]))
    return raised.map(({ id }) => byId.get(id) as Accepted)
  })
}

interface StoredTogether extends StoredNamed {
  offer?: LeaseOffer | undefined
}

/** One batch at a time: two that run beside one another have half as many messages each, and cost as much as a full one. */
const storeTogether = defineBatch<NamedDraft[], StoredTogether>({
  name: 'messages',
  maxWeight: 2_000,
  weight: countUsers,
  gatherMs: 4,
  refresh: (drafts, { now }) => drafts.map((draft) => ({ ...draft, acceptedAt: now() })),
  fastPath: {
    isEligible: () => true,
    flush: async (store, requests) => {
      const offer = findLeaseOffer(store)
      const stored = await storeNamedAtOnce(store, requests.flat(), offer)
      if (!stored) return requests.map(() => undefined)
      const work = Map.groupBy(stored.leased, ({ draft }) => draft.id)
      return splitByRequest(requests, stored.accepted).map((accepted) => {
        return { accepted, leased: accepted.flatMap(({ id }) => work.get(id) ?? []), offer }
      })
    },
  },
  flush: async (tx, requests) => {
    const accepted = await storeNamed(tx, await assignRisingIds(tx, requests.flat()))
    return splitByRequest(requests, accepted).map((own) => ({ accepted: own, leased: [] }))
  },
})

function splitByRequest(requests: readonly NamedDraft[][], accepted: readonly Accepted[]): Accepted[][] {
  let next = 0
  return requests.map((request) => request.map(() => accepted[next++] as Accepted))
}

function isNamed(draft: PersonalDraft): draft is NamedDraft {
  return draft.userIds !== undefined
}

function countUsers(drafts: NamedDraft[]): number {
  return drafts.reduce((sum, draft) => sum + draft.userIds.length, 0)
}
