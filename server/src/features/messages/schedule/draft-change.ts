import type { AnyNotification } from '@peyk/contract'
import { type Context, db } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { isUuid } from '#base/ids.ts'
import type { Transaction } from '#base/store/store.ts'
import { readChange } from '../send/read-change.ts'
import { allKeys } from '../send/read-receivers.ts'
import { unknownMessage } from '../stored/get-message-row.ts'
import { findMessageRow } from '../stored/message-store.ts'
import { draftScheduled } from './draft-scheduled.ts'
import { emitScheduled } from './emit-scheduled.ts'
import { mergeChange } from './merge-change.ts'
import { checkLive, readWhen } from './read-when.ts'
import { findScheduled, replaceScheduled } from './schedule-store.ts'
import type { ScheduledMessage } from './scheduled-message.ts'

export interface DraftedChange {
  known: ScheduledMessage
  /** Not stored yet. */
  changed: ScheduledMessage
  /** False if the new time is now. */
  isLater: boolean
}

/**
 * Returns a scheduled message with a change applied, checked and counted like a new one. Keeps it locked in a
 * transaction.
 */
export async function draftChange(
  ctx: Context,
  { id, change }: { id: string; change: AnyNotification },
): Promise<DraftedChange> {
  const given = await readChange(ctx, change)
  const known = await findUnstarted(ctx, id)
  const { request, isForOthers } = await mergeChange(ctx, known, given)
  const later = given.sendAt == null ? known : readWhen(given, ctx.now())
  const when = later ?? { dueAt: ctx.now() }
  checkLive(request, when)
  const draft = await draftScheduled(ctx, request, { product: known.product, to: allKeys })
  const { dueAt, localTime } = when
  const changed = { ...known, ...draft, ...(!isForOthers && { target: known.target }), dueAt, localTime }
  return { known, changed: { ...changed, approvedAs: undefined }, isLater: later !== undefined }
}

export async function storeChange(
  { store, tx, now }: Pick<Context, 'store' | 'now'> & { tx: Transaction },
  changed: ScheduledMessage,
  { isMoved }: { isMoved: boolean },
): Promise<void> {
  await replaceScheduled(tx, changed)
  if (isMoved) await emitScheduled(tx, store, [changed], now())
}

async function findUnstarted(ctx: Context, id: string): Promise<ScheduledMessage> {
  if (!isUuid(id)) throw unknownMessage(id)
  const found = await findScheduled(db(ctx), { appId: ctx.app.id, id, isLocked: ctx.tx !== undefined })
  if (found && !found.cancelledAt) return found
  if (found) throw new RequestError('already-started', 'The message was cancelled: it cannot be changed any more.')
  if (!(await findMessageRow(ctx, id))) throw unknownMessage(id)
  throw new RequestError('already-started', 'The message has started: it cannot be changed any more.')
}
