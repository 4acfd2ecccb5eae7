export type Platform = 'android' | 'ios' | 'web' | 'other'

export const platforms: readonly Platform[] = ['android', 'ios', 'web', 'other']

export function platformOf(deviceType: string): Platform {
  return deviceType === 'android' || deviceType === 'ios' || deviceType === 'web' ? deviceType : 'other'
}
