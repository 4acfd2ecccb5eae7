const realClocks = new WeakMap<() => Date, () => Date>()

/** Says which clock tells the real time to one that tells the product's. */
export function pairClocks(now: () => Date, realNow: () => Date): void {
  realClocks.set(now, realNow)
}

/**
 * The real time, for what concerns others or must not be moved: tokens that providers and push services check,
 * signatures of webhooks, dates in the answers of others, sessions of the panel. It differs from `now()` only where a
 * demonstration has put the time forward.
 */
export function realTime(now: () => Date): Date {
  return (realClocks.get(now) ?? now)()
}
