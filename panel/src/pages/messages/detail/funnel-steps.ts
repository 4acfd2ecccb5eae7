import type { CampaignDetail } from '@peyk/contract'
import { openedOf, shareOf } from '../../../parts/numbers/measures.ts'

type StepName = 'accepted' | 'sent' | 'delivered' | 'unconfirmed' | 'shown' | 'opened' | 'acted' | 'dismissed'

export interface Step {
  key: StepName
  count: number
  /** Undefined where there is nothing to have a share of. */
  share: number | undefined
  /** Beside the way from accepted to opened. */
  isSide?: boolean
}

/** How far a message came, or all messages of a campaign. */
export function funnelSteps({ count, states }: Pick<CampaignDetail, 'count' | 'states'>): Step[] {
  const { sent, delivered, shown, acted, dismissed } = states
  const opened = openedOf(states)
  const unconfirmed = sent - delivered
  return [
    { key: 'accepted', count, share: undefined },
    { key: 'sent', count: sent, share: shareOf(sent, count) },
    { key: 'delivered', count: delivered, share: shareOf(delivered, sent) },
    ...(unconfirmed > 0
      ? [{ key: 'unconfirmed' as const, count: unconfirmed, share: shareOf(unconfirmed, sent), isSide: true }]
      : []),
    { key: 'shown', count: shown, share: shareOf(shown, delivered) },
    { key: 'opened', count: opened, share: shareOf(opened, delivered) },
    { key: 'acted', count: acted, share: shareOf(acted, opened), isSide: true },
    { key: 'dismissed', count: dismissed, share: shareOf(dismissed, delivered), isSide: true },
  ]
}
