import type { Person } from './person.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** What somebody does in the shop, `afterMs` after the visit began. */
export interface ShopEvent {
  afterMs: number
  eventName: 'Search' | 'ViewItem' | 'AddToCart' | 'Order'
  /** A purchase has `isRevenue`, as the client library writes it. */
  data: Record<string, string | number | boolean>
}

export interface Visit {
  /** In their order. */
  events: ShopEvent[]
  endsAfterMs: number
  /** The app is removed then. */
  isLast: boolean
}

const SECOND = 1_000

const items = [
  { item: 'running shoes', category: 'shoes', price: 89.9 },
  { item: 'rain jacket', category: 'clothes', price: 119 },
  { item: 'wool socks', category: 'clothes', price: 9.5 },
  { item: 'water bottle', category: 'outdoor', price: 17.9 },
  { item: 'tent for two', category: 'outdoor', price: 249 },
  { item: 'yoga mat', category: 'sport', price: 34.5 },
  { item: 'headlamp', category: 'outdoor', price: 42 },
  { item: 'trail backpack', category: 'outdoor', price: 74.9 },
] as const
const searches = ['shoes', 'tent', 'jacket', 'gift', 'bottle', 'sale'] as const
/** Of the demo's orders. */
const currency = 'EUR'

const shareLookingRound = { byThemselves: 1, byNotification: 0.6 }
const shareLeavingForGood = 0.002

/** `seed` tells one visit from the others. Those whom a notification brought may go at once. */
export function decideVisit(
  seed: string,
  { readinessToBuy }: Pick<Person, 'readinessToBuy'>,
  brought: keyof typeof shareLookingRound,
): Visit {
  const random = seededRandom(`visit ${seed}`)
  const events: ShopEvent[] = []
  let afterMs = pause(random)
  const add = (eventName: ShopEvent['eventName'], data: ShopEvent['data']) => {
    events.push({ afterMs, eventName, data })
    afterMs += pause(random)
  }
  if (random.isTrue(shareLookingRound[brought])) shop(random, readinessToBuy, add)
  const isLast = brought === 'byThemselves' && random.isTrue(shareLeavingForGood)
  return { events, endsAfterMs: afterMs, isLast }
}

function shop(
  random: SeededRandom,
  readinessToBuy: number,
  add: (eventName: ShopEvent['eventName'], data: ShopEvent['data']) => void,
): void {
  if (random.isTrue(0.25)) add('Search', { query: random.oneOf(searches) })
  const views = random.weighted([
    [1, 50],
    [2, 30],
    [3, 20],
  ] as const)
  const seen = Array.from({ length: views }, () => random.oneOf(items))
  for (const { item, category, price } of seen) add('ViewItem', { item, category, value: price })
  if (!random.isTrue(0.15 + 0.4 * readinessToBuy)) return
  const { item, category, price } = random.oneOf(seen)
  add('AddToCart', { item, category, value: price })
  if (!random.isTrue(0.3 + 0.4 * readinessToBuy)) return
  const quantity = random.weighted([
    [1, 85],
    [2, 12],
    [3, 3],
  ] as const)
  add('Order', { item, quantity, isRevenue: true, value: Math.round(price * quantity * 100) / 100, currency })
}

function pause(random: SeededRandom): number {
  return Math.min(Math.max(random.logNormal(9 * SECOND, 0.7), 2 * SECOND), 120 * SECOND)
}
