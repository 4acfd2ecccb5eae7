import type { AnyNotification } from '@peyk/contract'
import { type Context, inTransaction } from '../../../base/context.ts'
import { RequestError } from '../../../base/errors.ts'
import { isUuid } from '../../../base/ids.ts'
import type { Transaction } from '../../../base/store/store.ts'
import { readChange } from '../send/read-change.ts'
import { allKeys } from '../send/read-receivers.ts'
import { unknownMessage } from '../stored/get-message-row.ts'
import { findMessageRow } from '../stored/message-store.ts'
import { draftScheduled } from './draft-scheduled.ts'
import { emitScheduled } from './emit-scheduled.ts'
import { mergeChange } from './merge-change.ts'
import { checkLive, readWhen } from './read-when.ts'
import { findScheduled, replaceScheduled } from './schedule-store.ts'
import { scheduledAnswer } from './scheduled-answer.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

/** Changes what is said of a message that has not started; all else stays. It is checked and counted as a new one is. */
export async function changeScheduled(ctx: Context, { id, change }: { id: string; change: AnyNotification }) {
  if (change.repeat != null) throw noRepeat()
  const given = await readChange(ctx, change)
  return inTransaction(ctx, async (tx) => {
    const known = await lockScheduled(ctx, tx, id)
    const { request, isForOthers } = await mergeChange({ ...ctx, tx }, known, given)
    const when = given.sendAt == null ? known : (readWhen(given, ctx.now()) ?? { dueAt: ctx.now() })
    checkLive(request, when)
    const draft = await draftScheduled({ ...ctx, tx }, request, { product: known.product, to: allKeys })
    const { dueAt, localTime } = when
    const changed = { ...known, ...draft, ...(!isForOthers && { target: known.target }), dueAt, localTime }
    await replaceScheduled(tx, changed)
    if (given.sendAt != null) await emitScheduled(tx, ctx.store, [changed], ctx.now())
    return scheduledAnswer(changed)
  })
}

async function lockScheduled(ctx: Context, tx: Transaction, id: string): Promise<ScheduledMessage> {
  if (!isUuid(id)) throw unknownMessage(id)
  const found = await findScheduled(tx, { appId: ctx.app.id, id, isLocked: true })
  if (found && !found.cancelledAt) return found
  if (found) throw new RequestError('already-started', 'The message was cancelled: it cannot be changed any more.')
  if (!(await findMessageRow({ ...ctx, tx }, id))) throw unknownMessage(id)
  throw new RequestError('already-started', 'The message has started: it cannot be changed any more.')
}

function noRepeat(): RequestError {
  const message = '"repeat": a single message does not repeat. A series is changed by PUT /api/series/{id}.'
  return new RequestError('invalid-request', message, { details: { field: 'repeat' } })
}
