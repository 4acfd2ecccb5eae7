import type { CodesLeft } from '@peyk/contract'

/** What can be said of the promo codes for a message: it takes those of its campaign, then those of the global set. */
export type CodesWord = 'choose' | 'none' | 'global' | 'both'

/** Before a campaign is chosen, it is not known whether there are codes. */
export function judgeCodes({ campaign, global = 0 }: CodesLeft, trackId: string): CodesWord {
  if (campaign !== undefined) return campaign + global === 0 ? 'none' : 'both'
  if (global > 0) return 'global'
  return trackId.trim() === '' ? 'choose' : 'none'
}
