import type { PersonalNotification } from '@peyk/contract'
import { defineBatch } from '../../../base/batch.ts'
import { announceWork } from '../../../base/bus/wake.ts'
import { type Context, inTransaction } from '../../../base/context.ts'
import { checkPushSizes } from '../check/check-push-size.ts'
import type { Product } from '../compose/expiry.ts'
import { assignRisingIds } from './assign-rising-ids.ts'
import type { Accepted } from './draft-message.ts'
import { draftElements, draftPersonal, type PersonalDraft } from './draft-personal.ts'
import type { NamedDraft } from './named-draft.ts'
import { storeNamed, storeNamedInParts } from './store-named.ts'
import { storePublic } from './store-public.ts'

export async function acceptPersonal(ctx: Context, sent: PersonalNotification, product: Product): Promise<Accepted> {
  const draft = draftPersonal(sent, { appId: ctx.app.id, product, at: ctx.now(), begunAt: ctx.begunAt, clock: ctx.now })
  await checkPushSizes(ctx, [draft])
  const [accepted] = await storeDrafts(ctx, [draft])
  return accepted as Accepted
}

/** Stored whole or not at all, and answered in the order of the request [choice 11]. */
export async function acceptPersonalArray(
  ctx: Context,
  sent: PersonalNotification[],
  product: Product,
): Promise<Accepted[]> {
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

/** A request with more users has a transaction of its own, so that small ones do not wait for it. */
const maxUsersTogether = 500

async function storeDrafts(ctx: Context, drafts: PersonalDraft[]): Promise<Accepted[]> {
  const accepted = await commitDrafts(ctx, drafts)
  announceWork(ctx.store)
  return accepted
}

async function commitDrafts(ctx: Context, drafts: PersonalDraft[]): Promise<Accepted[]> {
  if (drafts.every(isNamed) && countUsers(drafts) <= maxUsersTogether) return storeTogether(ctx, drafts)
  return inTransaction(ctx, async (tx) => {
    const raised = await assignRisingIds(tx, drafts)
    const accepted = [
      ...(await storeNamedInParts(tx, raised.filter(isNamed))),
      ...(await storePublic(
        { ...ctx, tx },
        raised.filter((draft) => !isNamed(draft)),
      )),
    ]
    const byId = new Map(accepted.map((answer) => [answer.id, answer]))
    return raised.map(({ id }) => byId.get(id) as Accepted)
  })
}

const storeTogether = defineBatch<NamedDraft[], Accepted[]>({
  name: 'messages',
  maxWeight: 2_000,
  weight: countUsers,
  laneKey: ([first]) => first?.userIds[0] ?? '',
  flush: async (tx, requests) => {
    const accepted = await storeNamed(tx, await assignRisingIds(tx, requests.flat()))
    let next = 0
    return requests.map((request) => request.map(() => accepted[next++] as Accepted))
  },
})

function isNamed(draft: PersonalDraft): draft is NamedDraft {
  return draft.userIds !== undefined
}

function countUsers(drafts: NamedDraft[]): number {
  return drafts.reduce((sum, draft) => sum + draft.userIds.length, 0)
}
