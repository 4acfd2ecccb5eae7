import { isDeepStrictEqual } from 'node:util'
import type { ApprovalDetail, ComposedMessage } from '@peyk/contract'
import type { Context } from '#base/context.ts'
import type { ApprovalRow } from './approval-store.ts'
import { type Outgoing, readMove, readOutgoing } from './read-outgoing.ts'

const grownByShare = 1.1

/** The message with the users that it names. */
function composedOf({ composed, user_ids }: ApprovalRow): ComposedMessage {
  return user_ids ? { ...composed, users: user_ids } : composed
}

export interface ApprovalNow {
  now: NonNullable<ApprovalDetail['now']>
  outgoing: Outgoing
}

/** The send as it would leave now: its template, its saved segment, or the app's own texts may have changed since. */
export async function readApprovalNow(ctx: Context, row: ApprovalRow): Promise<ApprovalNow> {
  const { moves, composed } = row
  const outgoing =
    moves === null
      ? await readOutgoing(ctx, composedOf(row))
      : await readMove(ctx, { id: moves, sendAt: composed.sendAt ?? '' })
  const { count, hash, look } = outgoing
  const now = { count, hasGrown: count > row.count * grownByShare, hasChanged: hasChanged(row, outgoing), seen: hash }
  return { now: { ...now, look }, outgoing }
}

/** Requests of earlier versions have no hash and are compared by their rules. */
function hasChanged(row: ApprovalRow, { hash, target }: Outgoing): boolean {
  if (row.asked_as !== null) return row.asked_as !== hash
  return !isDeepStrictEqual(JSON.parse(JSON.stringify(target ?? null)), row.target)
}
