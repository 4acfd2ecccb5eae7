import type { AnyNotification, ReceiverCount } from '@peyk/contract'
import type { Product } from '../messages/compose/expiry.ts'
import { readMessageChannel } from '../messages/compose/message-channel.ts'

type Unusual = NonNullable<ReceiverCount['unusual']>

const few = 100
const growth = 3

/** A send that a person should look at twice: to everybody, or to far more than any of the last 30 days. */
export function judgeSize(count: number, largest: number, isEverybody: boolean): Unusual | undefined {
  const isFarMore = count > few && count > growth * largest
  return isEverybody || isFarMore ? { largest, isEverybody } : undefined
}

/** Everybody is an empty filter, or `*`, on the channel that all are on. */
export function reachesEverybody(
  product: Product,
  { user, target, channel }: Pick<AnyNotification, 'user' | 'target' | 'channel'>,
): boolean {
  const isEmptyFilter =
    typeof target === 'string' ? /^\s*\{\s*\}\s*$/.test(target) : target != null && Object.keys(target).length === 0
  if (user !== '*' && !isEmptyFilter) return false
  return product === 'notification' || readMessageChannel(channel ?? '').subscription === undefined
}
