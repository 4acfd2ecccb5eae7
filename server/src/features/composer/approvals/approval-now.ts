import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { ApprovalDetail, ComposedMessage } from '@peyk/contract'
import type { Context } from '../../../base/context.ts'
import { draftScheduled } from '../../messages/schedule/draft-scheduled.ts'
import { allKeys } from '../../messages/send/read-receivers.ts'
import { readSent } from '../../messages/send/read-sent.ts'
import type { ApprovalRow } from './approval-store.ts'

const grownByShare = 1.1

/** The message with the users that it names. */
export function composedOf({ composed, user_ids }: ApprovalRow): ComposedMessage {
  return user_ids ? { ...composed, users: user_ids } : composed
}

export interface ApprovalNow {
  now: NonNullable<ApprovalDetail['now']>
  target: ApprovalRow['target']
}

/** How the send stands by now: a saved segment may be another one than when it was asked for, and have others in it. */
export async function readApprovalNow(ctx: Context, row: ApprovalRow): Promise<ApprovalNow> {
  const { product, ...sent } = composedOf(row)
  const { count, target } = await draftScheduled(ctx, await readSent(ctx, sent), { product, to: allKeys })
  const rules = JSON.parse(JSON.stringify(target ?? null))
  const now = {
    count,
    hasGrown: count > row.count * grownByShare,
    hasChanged: !isDeepStrictEqual(rules, row.target),
    seen: createHash('sha256').update(JSON.stringify(rules)).digest('hex').slice(0, 16),
  }
  return { now, target: rules }
}
