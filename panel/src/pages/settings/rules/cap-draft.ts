import type { Cap } from '@peyk/contract'

/** A cap as it is typed. */
export interface CapDraft {
  key: string
  count: number | undefined
  length: number | undefined
  unit: 'h' | 'd'
  /** None: all of them. */
  categories: string[]
}

let made = 0

export function draftOfCap({ count, window, categories = [] }: Cap): CapDraft {
  const unit = window.endsWith('d') ? 'd' : 'h'
  return { key: `cap-${++made}`, count, length: Number.parseInt(window, 10), unit, categories }
}

export function capOf({ count = 1, length = 1, unit, categories }: CapDraft): Cap {
  return { count, window: `${length}${unit}`, ...(categories.length > 0 && { categories }) }
}
