import {
  type Icon,
  IconBroadcast,
  IconChartHistogram,
  IconDeviceMobile,
  IconFilter,
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
  | 'campaigns'
  | 'segments'
  | 'users'
  | 'events'
  | 'channels'
  | 'promo'
  | 'uninstalls'
  | 'phones'
  | 'settings'

export interface ListedPage {
  name: PageName
  icon: Icon
  /** `g` and then this key leads there. */
  key: string
  isShown(app: CurrentApp): boolean
}

const always = () => true

/** The pages in the order of the menu. */
export const listedPages: readonly ListedPage[] = [
  { name: 'overview', icon: IconChartHistogram, key: 'o', isShown: always },
  { name: 'send', icon: IconSend, key: 's', isShown: ({ may }) => may('send-to-one') },
  { name: 'messages', icon: IconMessages, key: 'm', isShown: always },
  { name: 'campaigns', icon: IconSpeakerphone, key: 'c', isShown: always },
  { name: 'segments', icon: IconFilter, key: 'g', isShown: always },
  { name: 'users', icon: IconUsers, key: 'u', isShown: always },
  { name: 'events', icon: IconTimeline, key: 'e', isShown: always },
  { name: 'channels', icon: IconBroadcast, key: 'h', isShown: always },
  { name: 'promo', icon: IconTicket, key: 'p', isShown: always },
  { name: 'uninstalls', icon: IconTrash, key: 'd', isShown: always },
  { name: 'phones', icon: IconDeviceMobile, key: 'v', isShown: ({ hasPhones }) => hasPhones },
  { name: 'settings', icon: IconSettings, key: 't', isShown: ({ may }) => may('settings') },
]
