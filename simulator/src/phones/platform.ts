export const platforms = ['android', 'ios', 'web'] as const
export type Platform = (typeof platforms)[number]

/** The push service of each platform. */
export const pushProviderOf = { android: 'fcm', ios: 'apns', web: 'webpush' } as const satisfies Record<
  Platform,
  string
>
export type PushProvider = (typeof pushProviderOf)[Platform]

/** Which one a phone has. */
export type PhoneProvider = PushProvider | 'none'

/** Android alone lets an app without one keep a connection while it is closed. */
export const phoneProviders: Record<Platform, readonly PhoneProvider[]> = {
  android: ['fcm', 'none'],
  ios: ['apns'],
  web: ['webpush'],
}

/** Whether the app may show notifications. */
export const permissions = ['allowed', 'denied'] as const
export type Permission = (typeof permissions)[number]

interface Device {
  /** What people call it. */
  name: string
  /** What the app on it says of it. */
  details: Record<string, string>
}

export function deviceOf({ platform, provider }: { platform: Platform; provider: PhoneProvider }): Device {
  return provider === 'none' ? withoutProvider : devices[platform]
}

const devices: Record<Platform, Device> = {
  android: {
    name: 'Android phone',
    details: {
      deviceManufacturer: 'Google',
      deviceModel: 'Pixel 9',
      osVersion: '16',
      clientVersion: '2.10.0',
      appVersion: '1.0.0',
      language: 'en',
      timeZone: 'Europe/Berlin',
    },
  },
  ios: {
    name: 'iPhone',
    details: {
      deviceManufacturer: 'Apple',
      deviceModel: 'iPhone 16',
      osVersion: '26.1',
      clientVersion: '2.10.0',
      appVersion: '1.0.0',
      language: 'en',
      timeZone: 'Europe/Berlin',
    },
  },
  web: {
    name: 'Browser',
    details: {
      deviceManufacturer: 'Google',
      deviceModel: 'Chrome',
      osVersion: '11',
      browserVersion: '142.0',
      clientVersion: '2.10.0',
      appVersion: '1.0.0',
      language: 'en',
      timeZone: 'Europe/Berlin',
    },
  },
}

const withoutProvider: Device = {
  name: 'Android phone without Google services',
  details: { ...devices.android.details, deviceManufacturer: 'Huawei', deviceModel: 'P40 lite', osVersion: '10' },
}
