import type { UsedQuota } from '@peyk/contract'
import { type QuotaState, quotaNames } from '../../accounts/quotas/quota.ts'

export function shownQuotas({ quotas, used, resetsAt }: QuotaState): UsedQuota[] {
  return quotaNames.flatMap((quota): UsedQuota[] => {
    const limit = quotas[quota]
    if (limit === undefined) return []
    const left = Math.max(0, limit - used[quota])
    const isMonthly = quota !== 'installations'
    return [{ quota, limit, used: used[quota], left, ...(isMonthly && { resetsAt: resetsAt.getTime() }) }]
  })
}
