import type { Context } from '#base/context.ts'
import { readTime } from '#base/store/clock/read-time.ts'
import { waitForOlderWriters } from '#base/store/wait-for-older-writers.ts'
import { closeDeletion, markForgotten, type OpenDeletion } from './deletions-store.ts'
import { findForgotten } from './find-forgotten.ts'
import { nothingPurged, type Purged, purgeUser } from './purge-user.ts'
import { raiseStatementTimeout } from './raise-statement-timeout.ts'

/** Longer than it takes from the marks to their commit: who came within it may not have seen them. */
const graceMs = 5_000

/**
 * The second half of a deletion: when all who did not see the marks are done, what they left goes too. Users and
 * messages of the same name that came later stay. `isLeft`: the first half is over for we do not know how long.
 */
export async function finishDeletion(
  ctx: Pick<Context, 'store' | 'now'>,
  deletion: OpenDeletion,
  { isLeft }: { isLeft: boolean },
): Promise<Purged> {
  const { begunAt, traces } = deletion
  const until = isLeft
    ? { stored: new Date(begunAt.getTime() + graceMs), came: new Date(traces.forgottenAt + graceMs) }
    : { stored: await readTime(ctx.store), came: ctx.now() }
  await waitForOlderWriters(ctx.store)
  return ctx.store.transaction(async (tx) => {
    await raiseStatementTimeout(tx)
    if (!(await closeDeletion(tx, deletion))) return nothingPurged
    const { appId, userIds } = traces.user
    const user = await findForgotten(tx, { appId, userIds, earlier: { user: traces.user, until } })
    await markForgotten(tx, user, new Date(traces.forgottenAt))
    return purgeUser(tx, user)
  })
}
