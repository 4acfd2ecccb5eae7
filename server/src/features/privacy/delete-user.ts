import type { OutwardContext } from '#base/context.ts'
import { RequestError } from '#base/errors.ts'
import type { Transaction } from '#base/store/store.ts'
import { getUser } from '../statistics/users/get-user.ts'
import { findOpenDeletions, markForgotten, type OpenDeletion, openDeletion } from './deletions-store.ts'
import { findForgotten } from './find-forgotten.ts'
import { finishDeletion } from './finish-deletion.ts'
import { addUp, nothingPurged, type Purged, purgeUser } from './purge-user.ts'
import { raiseStatementTimeout } from './raise-statement-timeout.ts'

/**
 * Everything that is kept of a user. Requests in flight may have read of the user before and write afterwards:
 *
 *   one transaction: all rows go, marks say who was deleted ──▶ wait for the transactions that did not see the marks
 *     ──▶ one transaction: what those left goes ──▶ the answer
 *
 * Who comes later sees the marks: a request that came before the deletion leaves nothing, and one that came after it
 * makes a new user. After a crash in between, a job does the second half, or whoever asks for the deletion again.
 */
export async function deleteUser(ctx: OutwardContext, { userId }: { userId: string }) {
  const { purged, deletion, left } = await ctx.store.transaction((tx) => begin(ctx, tx, userId))
  const counts = [purged]
  for (const each of left) counts.push(await finishDeletion(ctx, each, { isLeft: true }))
  if (deletion) counts.push(await finishDeletion(ctx, deletion, { isLeft: false }))
  return { userId, ...addUp(counts) }
}

interface Begun {
  purged: Purged
  deletion: OpenDeletion | undefined
  /** Begun by somebody who did not come to their end. */
  left: OpenDeletion[]
}

async function begin(ctx: OutwardContext, tx: Transaction, userId: string): Promise<Begun> {
  await raiseStatementTimeout(tx)
  const unknown = await getUser(tx, ctx, userId).then(
    () => undefined,
    (error) => error,
  )
  if (unknown && !isUnknown(unknown)) throw unknown
  const left = userId.includes('\0') ? [] : await findOpenDeletions(tx, ctx.app.id, userId)
  if (unknown && left.length === 0) throw unknown
  if (unknown) return { purged: nothingPurged, deletion: undefined, left }
  const user = await findForgotten(tx, { appId: ctx.app.id, userIds: [userId] })
  const at = ctx.now()
  await markForgotten(tx, user, at)
  const purged = await purgeUser(tx, user)
  return { purged, deletion: await openDeletion(tx, { user, forgottenAt: at.getTime() }), left }
}

function isUnknown(error: unknown): boolean {
  return error instanceof RequestError && error.code === 'not-found'
}
