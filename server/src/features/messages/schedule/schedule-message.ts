import type { AnyNotification } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { timeOrderedId } from '#base/ids.ts'
import type { Accepted } from '../accept/draft-message.ts'
import type { Product } from '../compose/expiry.ts'
import type { ReceiverKey } from '../send/read-receivers.ts'
import { draftScheduled } from './draft-scheduled.ts'
import { emitScheduled } from './emit-scheduled.ts'
import type { When } from './read-when.ts'
import { insertScheduled } from './schedule-store.ts'

/**
 * Accepts a message that goes later. Its text and its rules are fixed now; whom they find is asked again when it goes. Its
 * id is of the moment it is to go: so it is among the messages of that time, and is kept as long as they are.
 */
export async function scheduleMessage(
  ctx: Context,
  request: AnyNotification,
  { product, when, to }: { product: Product; when: When; to: readonly ReceiverKey[] },
): Promise<Accepted> {
  const { dueAt, localTime } = when
  return inTransaction(ctx, async (tx) => {
    const draft = await draftScheduled({ ...ctx, tx }, request, { product, to })
    const id = timeOrderedId(dueAt)
    const createdBy = ctx.member?.email ?? ctx.token?.name
    const own = { appId: ctx.app.id, id, product, createdAt: ctx.now(), createdBy, dueAt, localTime }
    const message = { ...own, ...draft, cancelledAt: undefined, occurrence: undefined }
    await insertScheduled(tx, [message])
    await emitScheduled(tx, ctx.store, [message], ctx.now())
    return { id, count: draft.count }
  })
}
