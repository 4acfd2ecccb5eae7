import {
  type Icon,
  IconBroadcast,
  IconCalendarMonth,
  IconChartHistogram,
  IconDeviceMobile,
  IconFilter,
  IconLayoutGrid,
  IconMessages,
  IconSend,
  IconSettings,
  IconSpeakerphone,
  IconTicket,
  IconTimeline,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import type { CurrentApp } from '../api/use-app.ts'

export type PageName =
  | 'overview'
  | 'send'
  | 'messages'
  | 'calendar'
  | 'campaigns'
  | 'templates'
  | 'segments'
  | 'users'
  | 'events'
  | 'channels'
  | 'promo'
  | 'uninstalls'
  | 'phones'
  | 'settings'

/** The parts of the menu. The first page stands above them, the phones of the demo below. */
export const pageGroups = ['engage', 'audience', 'analyse', 'configure'] as const
export type PageGroup = (typeof pageGroups)[number]

export interface ListedPage {
  name: PageName
  group: PageGroup | 'first' | 'last'
  icon: Icon
  /** `g` and then this key leads there. */
  key: string
  isShown(app: CurrentApp): boolean
}

const always = () => true

/** The pages in the order of the menu. */
export const listedPages: readonly ListedPage[] = [
  { name: 'overview', group: 'first', icon: IconChartHistogram, key: 'o', isShown: always },
  { name: 'send', group: 'engage', icon: IconSend, key: 's', isShown: ({ may }) => may('send-to-one') },
  { name: 'messages', group: 'engage', icon: IconMessages, key: 'm', isShown: always },
  { name: 'calendar', group: 'engage', icon: IconCalendarMonth, key: 'k', isShown: always },
  { name: 'campaigns', group: 'engage', icon: IconSpeakerphone, key: 'c', isShown: always },
  { name: 'templates', group: 'engage', icon: IconLayoutGrid, key: 'l', isShown: always },
  { name: 'promo', group: 'engage', icon: IconTicket, key: 'p', isShown: always },
  { name: 'users', group: 'audience', icon: IconUsers, key: 'u', isShown: always },
  { name: 'segments', group: 'audience', icon: IconFilter, key: 'g', isShown: always },
  { name: 'channels', group: 'audience', icon: IconBroadcast, key: 'h', isShown: always },
  { name: 'events', group: 'analyse', icon: IconTimeline, key: 'e', isShown: always },
  { name: 'uninstalls', group: 'analyse', icon: IconTrash, key: 'd', isShown: always },
  { name: 'settings', group: 'configure', icon: IconSettings, key: 't', isShown: ({ may }) => may('settings') },
  { name: 'phones', group: 'last', icon: IconDeviceMobile, key: 'v', isShown: ({ hasPhones }) => hasPhones },
]
