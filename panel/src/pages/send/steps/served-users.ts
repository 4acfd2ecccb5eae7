import type { DryRun } from '@peyk/contract'

export interface ServedUsers {
  served: number
  needed: number
  missing: number
}

/** How many users get a code, and with it the message; undefined when there are enough for all, or none is asked for. */
export function findServed({ promo }: Pick<DryRun, 'promo'>): ServedUsers | undefined {
  if (promo === undefined || promo.missing === 0) return undefined
  return { served: promo.needed - promo.missing, needed: promo.needed, missing: promo.missing }
}
