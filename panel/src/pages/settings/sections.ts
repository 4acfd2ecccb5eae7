import {
  type Icon,
  IconBell,
  IconBuildingStore,
  IconCategory,
  IconChartBar,
  IconDeviceMobile,
  IconFingerprint,
  IconHistory,
  IconHourglass,
  IconKey,
  IconMessage,
  IconPhoto,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'

/** The sections of the settings in the order of their menu; the names stand in the address. */
export const sections = [
  { group: 'general', name: 'app', icon: IconBuildingStore },
  { group: 'general', name: 'usage', icon: IconChartBar },
  { group: 'general', name: 'retention', icon: IconHourglass },
  { group: 'general', name: 'images', icon: IconPhoto },
  { group: 'access', name: 'tokens', icon: IconKey },
  { group: 'access', name: 'keys', icon: IconDeviceMobile },
  { group: 'access', name: 'identity', icon: IconFingerprint },
  { group: 'delivery', name: 'providers', icon: IconBell },
  { group: 'delivery', name: 'sms', icon: IconMessage },
  { group: 'delivery', name: 'rules', icon: IconCategory },
  { group: 'delivery', name: 'webhooks', icon: IconWebhook },
  { group: 'team', name: 'members', icon: IconUsers },
  { group: 'team', name: 'audit', icon: IconHistory },
] as const satisfies readonly { group: string; name: string; icon: Icon }[]

export type SectionName = (typeof sections)[number]['name']
export const groups = ['general', 'access', 'delivery', 'team'] as const
