import type { DemoPerson } from './demo-people.ts'
import { items, searches } from './demo-words.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

export interface DemoEvent {
  /** On which of the person's devices; undefined when the shop's back end reported it by user. */
  device: number | undefined
  eventName: string
  /** Epoch milliseconds. */
  eventTime: number
  eventData: Record<string, string | number>
  revenue?: number
  currency?: string
}

const DAY = 86_400_000
const MINUTE = 60_000
const daysBack = 60

/** What a person did in the last 60 days: visits in which things are looked at, put into the cart and sometimes bought. */
export function makeDemoEvents(person: DemoPerson, index: number, now: Date): DemoEvent[] {
  const random = seededRandom(index + 1)
  const events: DemoEvent[] = []
  for (let visit = 0; visit < person.visits; visit++) {
    const device = random.between(0, person.devices.length - 1)
    const installedAt = person.devices[device]?.installDate ?? 0
    const from = Math.max(installedAt, Number(now) - daysBack * DAY)
    const startsAt = random.between(from, Number(now) - 5 * MINUTE)
    events.push(...makeVisit(random, person, device, startsAt).filter((event) => event.eventTime <= Number(now)))
  }
  return events
}

function makeVisit(random: SeededRandom, person: DemoPerson, device: number, startsAt: number): DemoEvent[] {
  const events: DemoEvent[] = []
  let at = startsAt
  const add = (eventName: string, eventData: DemoEvent['eventData']) => {
    events.push({ device, eventName, eventTime: at, eventData })
    at += random.between(5_000, 80_000)
  }
  if (random.isTrue(0.4)) add('Search', { query: random.oneOf(searches) })
  const looked = Array.from({ length: random.between(1, 3) }, () => random.oneOf(items))
  for (const { item, category, price } of looked) add('ViewItem', { item, category, value: price })
  const wanted = random.oneOf(looked)
  if (!random.isTrue(0.15 + person.readinessToBuy * 0.5)) return events
  add('AddToCart', { item: wanted.item, category: wanted.category, value: wanted.price })
  if (person.userId === undefined || !random.isTrue(0.2 + person.readinessToBuy * 0.6)) return events
  const quantity = random.weighted([
    [1, 85],
    [2, 12],
    [3, 3],
  ] as const)
  events.push({
    device: undefined,
    eventName: 'Order',
    eventTime: at,
    eventData: { item: wanted.item, quantity },
    revenue: Math.round(wanted.price * quantity * 100) / 100,
    currency: 'EUR',
  })
  return events
}
