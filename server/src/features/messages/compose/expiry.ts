export type Product = 'message' | 'notification'

const DAY = 86_400

/** [sending.md#time-to-live] The providers keep nothing longer than 28 days. */
const defaultTtlSeconds: Record<Product, number> = { message: 30 * DAY, notification: 28 * DAY }

// Far enough to mean never, near enough to be a date.
const maxTtlSeconds = 36_525 * DAY

export function expiryOf(ttlSeconds: number | undefined, product: Product, acceptedAt: Date): Date {
  return new Date(acceptedAt.getTime() + Math.ceil(lifeSeconds(ttlSeconds, product) * 1000))
}

export function lifeSeconds(ttlSeconds: number | undefined, product: Product): number {
  return Math.min(ttlSeconds || defaultTtlSeconds[product], maxTtlSeconds)
}
