import type { Context } from '#base/context.ts'
import { quotaStateOf } from './quota-states.ts'

/** How many SMS an app may send today, those it has sent today among them; undefined without a quota. */
export function smsLeftToday(
  { store, now }: Pick<Context, 'store' | 'now'>,
  appId: number,
): { limit: number; left: number } | undefined {
  const state = quotaStateOf(store, appId)
  const limit = state?.quotas.sms
  if (!state || limit === undefined) return undefined
  return { limit, left: limit - (now() >= state.resetsAt ? 0 : state.smsBefore) }
}
