/** What the operator may bound for an app. All but the installations begin anew with each month, in UTC. */
export const quotaNames = ['messages', 'deliveries', 'events', 'sms', 'installations'] as const
export type QuotaName = (typeof quotaNames)[number]

export type Quotas = Partial<Record<QuotaName, number>>

/** What an app with quotas has used of them when it was last read. */
export interface QuotaState {
  quotas: Quotas
  used: Record<QuotaName, number>
  /** SMS of this month before today. */
  smsBefore: number
  /** When the month ends, and the uses of it are forgotten. */
  resetsAt: Date
}

/** How a sentence names what a quota bounds. */
export function describeQuota(name: QuotaName, limit: number): string {
  const words = name === 'sms' ? 'SMS' : name
  return `${limit.toLocaleString('en')} ${words}${name === 'installations' ? '' : ' a month'}`
}

export function monthAfter(at: Date): Date {
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))
}
