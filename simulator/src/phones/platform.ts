export const platforms = ['android', 'ios', 'web'] as const
export type Platform = (typeof platforms)[number]

/** Whether the app may show notifications. */
export const permissions = ['allowed', 'denied'] as const
export type Permission = (typeof permissions)[number]

/** What a device of each kind says of itself. */
export const deviceOf: Record<Platform, Record<string, string>> = {
  android: {
    deviceManufacturer: 'Google',
    deviceModel: 'Pixel 9',
    osVersion: '16',
    clientVersion: '2.10.0',
    appVersion: '1.0.0',
    language: 'en',
    timeZone: 'Europe/Berlin',
  },
  ios: {
    deviceManufacturer: 'Apple',
    deviceModel: 'iPhone 16',
    osVersion: '26.1',
    clientVersion: '2.10.0',
    appVersion: '1.0.0',
    language: 'en',
    timeZone: 'Europe/Berlin',
  },
  web: {
    deviceManufacturer: 'Google',
    deviceModel: 'Chrome',
    osVersion: '11',
    browserVersion: '142.0',
    clientVersion: '2.10.0',
    appVersion: '1.0.0',
    language: 'en',
    timeZone: 'Europe/Berlin',
  },
}
