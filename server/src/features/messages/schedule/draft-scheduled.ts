import type { AnyNotification } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { resolveAudience } from '../../segments/read/resolve-audience.ts'
import { draftMessage } from '../accept/draft-message.ts'
import { draftPersonal, type PersonalDraft } from '../accept/draft-personal.ts'
import { findReceivers } from '../accept/find-receivers.ts'
import type { NamedDraft } from '../accept/named-draft.ts'
import { withoutForgotten } from '../accept/without-forgotten.ts'
import { checkPushSizes } from '../check/check-push-size.ts'
import type { Product } from '../compose/expiry.ts'
import { withoutFallback } from '../compose/without-fallback.ts'
import { groupKeys, type ReceiverKey, readReceiverKey } from '../send/read-receivers.ts'
import { countAudience } from './schedule-store.ts'
import { type ScheduledMessage, withoutReceivers } from './scheduled-message.ts'

/** What is checked of a message, and counted, when it is accepted and not sent yet. */
export type ScheduledDraft = Pick<ScheduledMessage, 'sent' | 'userIds' | 'target' | 'count'>

/** Everything that a send now would refuse is refused now. */
export async function draftScheduled(
  ctx: Context,
  request: AnyNotification,
  { product, to }: { product: Product; to: readonly ReceiverKey[] },
): Promise<ScheduledDraft> {
  const key = readReceiverKey(request, to)
  const acceptance = { appId: ctx.app.id, product, at: ctx.now(), begunAt: ctx.begunAt, clock: ctx.now }
  if (groupKeys.includes(key)) {
    const message = withoutFallback(request)
    const draft = draftMessage(message, acceptance)
    await checkPushSizes(ctx, [draft])
    const target = await resolveAudience(ctx, { [key]: request[key] })
    const count = await countAudience(ctx, target, draft)
    return { sent: withoutReceivers(message), userIds: undefined, target, count }
  }
  const draft = draftPersonal(request, acceptance)
  await checkPushSizes(ctx, [draft])
  const left = await withoutDeleted(ctx, draft)
  return { sent: withoutReceivers(request), userIds: left.userIds, target: undefined, count: await countFor(ctx, left) }
}

/** A user who was deleted since the request came is not named. */
async function withoutDeleted(ctx: Context, draft: PersonalDraft): Promise<PersonalDraft> {
  if (!isNamed(draft)) return draft
  const [left] = await withoutForgotten(db(ctx), [draft])
  return left ?? { ...draft, userIds: [] }
}

async function countFor(ctx: Context, draft: PersonalDraft): Promise<number> {
  if (!isNamed(draft)) return countAudience(ctx, { target: {} }, draft)
  const [receivers] = await findReceivers(db(ctx), [draft])
  return receivers?.installationNos.length ?? 0
}

function isNamed(draft: PersonalDraft): draft is NamedDraft {
  return draft.userIds !== undefined
}
