import { type Permission, type PhoneProvider, type Platform, pushProviderOf } from '../phones/platform.ts'
import { type SeededRandom, seededRandom } from './seeded-random.ts'

/** Somebody of the crowd, with a device. */
export interface Person {
  userId: string
  platform: Platform
  provider: PhoneProvider
  permission: Permission
  /** What the app on the device says of it. */
  details: Record<string, string>
  subscriptions: string[]
  timeZone: string
  /** How readily they open what they get: 1 on average. */
  interest: number
  /** From 0 to 1. */
  readinessToBuy: number
}

const platforms: readonly (readonly [Platform, number])[] = [
  ['android', 56],
  ['ios', 26],
  ['web', 18],
]
const shareWithoutGoogle = 0.14
const shareDenying = 0.04

const devices = {
  android: [
    { deviceManufacturer: 'Samsung', deviceModel: 'Galaxy S24', osVersion: '15' },
    { deviceManufacturer: 'Xiaomi', deviceModel: 'Redmi Note 13', osVersion: '14' },
    { deviceManufacturer: 'Google', deviceModel: 'Pixel 9', osVersion: '16' },
  ],
  ios: [
    { deviceManufacturer: 'Apple', deviceModel: 'iPhone 16', osVersion: '26.1' },
    { deviceManufacturer: 'Apple', deviceModel: 'iPhone 14', osVersion: '18.5' },
  ],
  web: [
    { deviceManufacturer: 'Google', deviceModel: 'Chrome', osVersion: '11', browserVersion: '142.0' },
    { deviceManufacturer: 'Mozilla', deviceModel: 'Firefox', osVersion: '15.1', browserVersion: '145.0' },
  ],
} as const satisfies Record<Platform, readonly Record<string, string>[]>
const withoutGoogle = { deviceManufacturer: 'Huawei', deviceModel: 'P40 lite', osVersion: '10' }

const places: readonly (readonly [{ timeZone: string; language: string }, number])[] = [
  [{ timeZone: 'Asia/Tehran', language: 'fa' }, 46],
  [{ timeZone: 'Europe/Istanbul', language: 'tr' }, 16],
  [{ timeZone: 'Asia/Dubai', language: 'ar' }, 10],
  [{ timeZone: 'Europe/Berlin', language: 'de' }, 16],
  [{ timeZone: 'Europe/London', language: 'en' }, 12],
]

const clientVersions = [
  ['2.10.0', 60],
  ['2.9.2', 30],
  ['2.8.0', 10],
] as const

const channels = [
  ['public/news', 0.5],
  ['public/offers', 0.32],
] as const

/** The same one for the same number. The first hundreds have the ids of users that the demo app has already. */
export function makePerson(no: number): Person {
  const random = seededRandom(`person ${no}`)
  const platform = random.weighted(platforms)
  const hasNoGoogle = platform === 'android' && random.isTrue(shareWithoutGoogle)
  const place = random.weighted(places)
  const device = hasNoGoogle ? withoutGoogle : random.oneOf<Record<string, string>>(devices[platform])
  return {
    userId: `user-${no}`,
    platform,
    provider: hasNoGoogle ? 'none' : pushProviderOf[platform],
    permission: random.isTrue(shareDenying) ? 'denied' : 'allowed',
    details: { ...device, ...place, clientVersion: random.weighted(clientVersions), appVersion: '1.0.0' },
    subscriptions: ['default', ...chosenChannels(random)],
    timeZone: place.timeZone,
    interest: random.between(0.4, 1.6),
    readinessToBuy: random.next() ** 2,
  }
}

function chosenChannels(random: SeededRandom): string[] {
  return channels.filter(([, share]) => random.isTrue(share)).map(([name]) => name)
}
