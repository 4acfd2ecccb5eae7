import type { AnyNotification } from '@peyk/contract'
import { type Context, inTransaction } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import { draftChange, storeChange } from './draft-change.ts'
import { scheduledAnswer } from './scheduled-answer.ts'

/** Partial update of a message that has not started. It is checked and counted like a new one. */
export async function changeScheduled(ctx: Context, { id, change }: { id: string; change: AnyNotification }) {
  if (change.repeat != null) throw noRepeat()
  return inTransaction(ctx, async (tx) => {
    const { changed } = await draftChange({ ...ctx, tx }, { id, change })
    await storeChange({ ...ctx, tx }, changed, { isMoved: change.sendAt != null })
    return scheduledAnswer(changed)
  })
}

function noRepeat(): RequestError {
  const message = '"repeat": a single message does not repeat. A series is changed by PUT /api/series/{id}.'
  return new RequestError('invalid-request', message, { details: { field: 'repeat' } })
}
