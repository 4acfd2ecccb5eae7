import type { winnerReasons } from '@peyk/contract'
import type { VariantCount } from './count-variants.ts'

/** So many users each variant needs, before anything is said about which is better. */
export const leastUsers = 100

export interface Picked {
  variant: string
  why: (typeof winnerReasons)[number]
}

/** How many users a variant was tried on, and how many of them did what counts. */
export interface Trial {
  given: number
  reached: number
}

/** Opened and acted on can only be what was handed over; whoever was assigned may do what an event tells. */
export function trialOf(by: string, { handedOver, opened, acted, assigned, goal }: Omit<VariantCount, 'name'>): Trial {
  if (by === 'opened') return { given: handedOver, reached: opened }
  if (by === 'acted') return { given: handedOver, reached: acted }
  return { given: assigned, reached: goal }
}

/** [ADR-0194] The highest rate wins; where two share it, or a variant has too few, it is `otherwise`. */
export function pickWinner(trials: readonly (Trial & { name: string })[], otherwise: string): Picked {
  if (trials.some(({ given }) => given < leastUsers)) return { variant: otherwise, why: 'notEnoughData' }
  // Compared as fractions: 1/3 and 100/300 are the same.
  const [best, ...others] = trials.toSorted((a, b) => b.reached * a.given - a.reached * b.given)
  if (!best) return { variant: otherwise, why: 'notEnoughData' }
  const isTie = others.some(({ given, reached }) => reached * best.given === best.reached * given)
  return isTie ? { variant: otherwise, why: 'tie' } : { variant: best.name, why: 'best' }
}
