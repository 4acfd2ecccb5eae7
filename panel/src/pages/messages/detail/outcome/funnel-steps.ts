import type { CampaignDetail } from '@peyk/contract'
import { openedOf, shareOf } from '#parts/numbers/measures.ts'

type Base = 'accepted' | 'sent' | 'delivered'

export interface Step {
  key: Base | 'shown' | 'opened'
  count: number
  /** What the share is of, and how many of those did not come here. */
  of?: { base: Base; share: number | undefined; missing: number }
  /** The furthest that any came. */
  isLast: boolean
}

/** How far a message came, or all messages of a campaign. */
export function funnelSteps({ count, states }: Pick<CampaignDetail, 'count' | 'states'>): Step[] {
  const { sent, delivered, shown } = states
  const opened = openedOf(states)
  const of = (base: Base, part: number, whole: number) => ({
    of: { base, share: shareOf(part, whole), missing: Math.max(0, whole - part) },
  })
  const steps: Omit<Step, 'isLast'>[] = [
    { key: 'accepted', count },
    { key: 'sent', count: sent, ...of('accepted', sent, count) },
    { key: 'delivered', count: delivered, ...of('sent', delivered, sent) },
    { key: 'shown', count: shown, ...of('delivered', shown, delivered) },
    { key: 'opened', count: opened, ...of('delivered', opened, delivered) },
  ]
  const last = steps.findLastIndex((step) => step.count > 0)
  return steps.map((step, index) => ({ ...step, isLast: index === last }))
}
