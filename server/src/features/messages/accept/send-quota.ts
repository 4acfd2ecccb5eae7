import type { Context } from '#base/context.ts'
import { checkQuota } from '../../accounts/quotas/check-quota.ts'
import { countUsage, type UsageContext } from '../../accounts/quotas/usage-tally.ts'
import type { Accepted } from './draft-message.ts'

/** Before a send, when nobody knows yet to how many installations it goes. */
export function checkSendQuota(ctx: Context, messages = 1): void {
  checkQuota(ctx, 'messages', messages)
  checkQuota(ctx, 'deliveries')
}

/** In the transaction that stores them, when it is known. */
export function checkDeliveryQuota(ctx: Context, accepted: readonly Pick<Accepted, 'count'>[]): void {
  checkQuota(ctx, 'deliveries', sumOf(accepted))
}

/** A message counts when it goes, and as many deliveries as installations it goes to. */
export function countSends(ctx: UsageContext, accepted: readonly Pick<Accepted, 'count'>[]): void {
  countUsage(ctx, 'messages', accepted.length)
  countUsage(ctx, 'deliveries', sumOf(accepted))
}

function sumOf(accepted: readonly Pick<Accepted, 'count'>[]): number {
  return accepted.reduce((sum, { count }) => sum + count, 0)
}
