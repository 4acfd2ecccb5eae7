import type { PastDelivery } from '../receipts/store-past-deliveries.ts'
import type { DemoMessage } from './demo-messages.ts'
import type { SeededRandom } from './seeded-random.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const providers: Record<string, string> = { ios: 'apns', web: 'webpush' }
/** How many of a hundred that were sent arrive. */
const arriving: Record<string, number> = { android: 95, ios: 91, web: 82 }

const ends: readonly (readonly [NonNullable<PastDelivery['end']>, number])[] = [
  [{ reason: 'gone' }, 3],
  [{ reason: 'opted-out' }, 4],
  [{ reason: 'unknown' }, 1],
]

/** What became of a message on one device: most are shown, some opened, a few never arrive. */
export function makeDemoDelivery(
  random: SeededRandom,
  device: { installationNo: number; deviceType: string },
  message: DemoMessage,
  sentAt: number,
  now: number,
): PastDelivery {
  const { installationNo, deviceType } = device
  const delivery = { installationNo, provider: providers[deviceType] ?? 'fcm', at: new Date(sentAt) }
  if (random.isTrue(0.035)) return { ...delivery, end: random.weighted(ends), receipts: [] }
  if (!random.isTrue((arriving[deviceType] ?? 90) / 100)) return { ...delivery, receipts: [] }
  const deliveredAt =
    sentAt + (random.isTrue(0.8) ? random.between(SECOND, 20 * SECOND) : random.between(MINUTE, 6 * HOUR))
  const steps: [kind: PastDelivery['receipts'][number]['kind'], at: number, actionId?: string][] = [
    ['delivered', deliveredAt],
  ]
  if (random.isTrue(0.95)) {
    const shownAt = deliveredAt + random.between(200, 3 * SECOND)
    steps.push(['shown', shownAt])
    // Most who react do so soon, some in the evening.
    const reactedAt = shownAt + Math.round(random.next() ** 3 * 9 * HOUR) + 5 * SECOND
    if (random.isTrue(message.openedOf100 / 100)) {
      const [first] = message.notification.actions ?? []
      if (first?.id && random.isTrue(0.25)) steps.push(['acted', reactedAt, first.id])
      else steps.push(['opened', reactedAt])
    } else if (random.isTrue(0.3)) steps.push(['dismissed', reactedAt])
  }
  return {
    ...delivery,
    receipts: steps
      .filter(([, at]) => at <= now)
      .map(([kind, at, actionId = '']) => ({ kind, actionId, happenedAt: new Date(at) })),
  }
}
