import { clientVersions, models, osVersions, places, placeWeights } from './demo-words.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

export type DeviceType = keyof typeof models

export interface DemoDevice {
  deviceType: DeviceType
  deviceManufacturer: string
  deviceModel: string
  osVersion: string
  clientVersion: string
  language: string
  timeZone: string
  subscriptions: string[]
  /** Epoch milliseconds, as the client library sends them. */
  installDate: number
  launchTime: number
  launchCount: number
  /** Some leave: when that was noticed. */
  uninstalledAt?: number
}

export interface DemoPerson {
  /** Undefined for guests. */
  userId: string | undefined
  devices: DemoDevice[]
  tags: string[]
  valueTags: Record<string, string>
  attributes: Record<string, string | number | string[]>
  /** How much they do in the shop: visits in 60 days, and how readily they buy. */
  visits: number
  readinessToBuy: number
}

const DAY = 86_400_000
/** Public channels of the shop, and how many are on them. */
const channels = [
  ['public/news', 0.5],
  ['public/offers', 0.32],
  ['public/restock', 0.11],
] as const

const seed = 399
const userCount = 300
const guestCount = 24

/** The people of the demo shop. The same ones each time; only their dates move with the day of the first start. */
export function makeDemoPeople(now: Date): DemoPerson[] {
  const random = seededRandom(seed)
  return Array.from({ length: userCount + guestCount }, (_, index) =>
    makePerson(random, Number(now), index < userCount ? `user-${index + 1}` : undefined),
  )
}

function makePerson(random: SeededRandom, now: number, userId: string | undefined): DemoPerson {
  const place = random.weighted(places.map((one, index) => [one, placeWeights[index] as number] as const))
  // Bent, so that more joined lately: the newest within the last hours.
  const joinedAt = now - Math.round(random.next() ** 1.5 * 200 * DAY) - 600_000
  const deviceCount =
    userId === undefined
      ? 1
      : random.weighted([
          [1, 62],
          [2, 29],
          [3, 9],
        ] as const)
  const devices = Array.from({ length: deviceCount }, (_, index) =>
    makeDevice(random, now, index === 0 ? joinedAt : random.between(joinedAt, now - 300_000), place),
  )
  const visits = userId === undefined ? random.between(0, 4) : Math.round(1 + random.next() ** 3 * 30)
  const readinessToBuy = random.next() ** 2
  if (userId === undefined) return { userId, devices, tags: [], valueTags: {}, attributes: {}, visits, readinessToBuy }
  const isLoyal = visits > 8 && readinessToBuy > 0.25
  const tags = [
    ...(isLoyal ? ['vip'] : []),
    ...(random.isTrue(0.45) ? ['newsletter'] : []),
    ...(random.isTrue(0.07) ? ['beta'] : []),
  ]
  return {
    userId,
    devices,
    tags,
    valueTags: { city: place.city, ...(random.isTrue(0.3) && { size: random.oneOf(['s', 'm', 'l', 'xl']) }) },
    attributes: {
      firstName: random.oneOf<string>(place.names),
      birthday: new Date(
        Date.UTC(random.between(1960, 2007), random.between(0, 11), random.between(1, 28)),
      ).toISOString(),
      plan: isLoyal
        ? random.oneOf(['plus', 'pro'])
        : random.weighted([
            ['free', 80],
            ['plus', 15],
            ['pro', 5],
          ] as const),
      points: Math.round(visits * readinessToBuy * 25),
      interests: [...new Set([random.oneOf(['shoes', 'clothes']), random.oneOf(['outdoor', 'sport'])])],
    },
    visits,
    readinessToBuy,
  }
}

function makeDevice(
  random: SeededRandom,
  now: number,
  installDate: number,
  place: (typeof places)[number],
): DemoDevice {
  const deviceType = random.weighted([
    ['android', 56],
    ['ios', 26],
    ['web', 18],
  ] as const)
  const [deviceManufacturer, deviceModel] = random.oneOf<readonly [string, string]>(models[deviceType])
  const isNew = now - installDate < DAY
  const launchTime = isNew
    ? random.between(installDate, now)
    : now - Math.round(random.next() ** 2 * Math.min(60 * DAY, now - installDate))
  const leavesAt = launchTime + random.between(1, 12) * DAY
  return {
    deviceType,
    deviceManufacturer,
    deviceModel,
    osVersion: random.oneOf<string>(osVersions[deviceType]),
    clientVersion: random.weighted(clientVersions),
    language: random.isTrue(0.85) ? place.language : 'en',
    timeZone: place.timeZone,
    subscriptions: ['default', ...channels.filter(([, share]) => random.isTrue(share)).map(([name]) => name)],
    installDate,
    launchTime,
    launchCount: isNew ? random.between(1, 3) : 1 + Math.round(random.next() ** 2 * 28),
    ...(leavesAt < now && random.isTrue(0.2) && { uninstalledAt: leavesAt }),
  }
}
