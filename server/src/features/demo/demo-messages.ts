import type { Notification } from '@peyk/contract'
import type { Static } from 'typebox'

/** A message that the demo shop has sent. */
export interface DemoMessage {
  daysAgo: number
  /** UTC. */
  hour: number
  trackId?: string
  /** To a public channel instead of a group. */
  channel?: string
  segment?: { all: object[] }
  content: string
  notification: Static<typeof Notification>
  /** How many of a hundred who see it open it. */
  openedOf100: number
}

const shop = 'https://shop.example'
const onPhones = { name: 'deviceType', operator: 'include', value: ['android', 'ios'] }
const inPersian = { name: 'language', operator: 'equal_to', value: 'fa' }

/** Campaigns of the shop, with the codes that were uploaded for them. */
export const demoCampaigns = [
  { trackId: 'spring-sale', name: 'Spring sale', codes: { prefix: 'SPRING', count: 900 } },
  { trackId: 'come-back', name: 'Come back', codes: { prefix: 'BACK', count: 130 } },
  { trackId: 'new-arrivals', name: 'New arrivals' },
  { trackId: 'update-hint', name: 'Update to 2.10' },
] as const

/** The oldest first. What is older than the store keeps in months is left out. */
export const demoMessages: readonly DemoMessage[] = [
  {
    daysAgo: 43,
    hour: 16,
    channel: 'news',
    content: 'Trail running in autumn: five routes our team likes',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/trails` },
    openedOf100: 9,
  },
  {
    daysAgo: 38,
    hour: 9,
    trackId: 'new-arrivals',
    segment: { all: [onPhones] },
    content: 'The new rain jackets are here, lighter than ever.',
    notification: {
      title: 'New: rain jackets',
      body: 'Lighter than ever, in six colours.',
      clickUrl: `${shop}/new/jackets`,
      actions: [
        { id: 'look', title: 'Have a look', url: `${shop}/new/jackets` },
        { id: 'later', title: 'Remind me' },
      ],
    },
    openedOf100: 14,
  },
  {
    daysAgo: 36,
    hour: 16,
    channel: 'news',
    content: 'How to wash a down sleeping bag, and what never to do',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/down` },
    openedOf100: 8,
  },
  {
    daysAgo: 29,
    hour: 16,
    channel: 'news',
    content: 'Our members’ favourite weekend trips, with maps',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/weekend` },
    openedOf100: 11,
  },
  {
    daysAgo: 25,
    hour: 11,
    trackId: 'update-hint',
    segment: { all: [{ name: 'clientVersion', operator: 'lesser_than', value: '2.9' }] },
    content: 'Version 2.10 loads twice as fast. Update in the store.',
    notification: { title: 'Our app got faster', body: 'Version 2.10 loads twice as fast.', clickUrl: `${shop}/app` },
    openedOf100: 19,
  },
  {
    daysAgo: 22,
    hour: 16,
    channel: 'news',
    content: 'Five head torches compared in the rain',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/torches` },
    openedOf100: 10,
  },
  {
    daysAgo: 18,
    hour: 8,
    trackId: 'spring-sale',
    segment: { all: [onPhones, { name: 'tags', operator: 'include', value: ['newsletter'] }] },
    content: 'For you, a day before everybody: 20 % off. Your code: {{ promoCode }}',
    notification: {
      title: 'The sale starts early for you',
      body: '20 % off with your own code {{ promoCode }}.',
      clickUrl: `${shop}/sale`,
      actions: [{ id: 'shop', title: 'Shop now', url: `${shop}/sale` }],
    },
    openedOf100: 31,
  },
  {
    daysAgo: 17,
    hour: 9,
    trackId: 'spring-sale',
    segment: { all: [{ name: 'launchTime', operator: 'after', value: '2160h' }] },
    content: 'The spring sale has started: up to 40 % off until Sunday.',
    notification: {
      title: 'The spring sale has started',
      body: 'Up to 40 % off until Sunday.',
      clickUrl: `${shop}/sale`,
      mediaUrl: `${shop}/images/sale.jpg`,
      actions: [
        { id: 'shop', title: 'Shop now', url: `${shop}/sale` },
        { id: 'later', title: 'Remind me' },
      ],
    },
    openedOf100: 17,
  },
  {
    daysAgo: 15,
    hour: 16,
    channel: 'news',
    content: 'Behind the scenes: how we choose what we sell',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/behind` },
    openedOf100: 7,
  },
  {
    daysAgo: 12,
    hour: 7,
    trackId: 'spring-sale',
    segment: { all: [inPersian] },
    content: 'فقط تا یکشنبه: تا ۴۰٪ تخفیف برای همهٔ کفش‌ها',
    notification: {
      title: 'آخرین فرصت حراج بهاره',
      body: 'فقط تا یکشنبه: تا ۴۰٪ تخفیف برای همهٔ کفش‌ها',
      dir: 'rtl',
      clickUrl: `${shop}/fa/sale`,
      actions: [{ id: 'shop', title: 'خرید', url: `${shop}/fa/sale` }],
    },
    openedOf100: 22,
  },
  {
    daysAgo: 8,
    hour: 16,
    channel: 'news',
    content: 'Winter is coming: layers that work',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/layers` },
    openedOf100: 12,
  },
  {
    daysAgo: 5,
    hour: 10,
    trackId: 'come-back',
    segment: { all: [{ name: 'launchTime', operator: 'before', value: '240h' }] },
    content: 'We have not seen you for a while. 10 % for your next order: {{ promoCode }}',
    notification: {
      title: 'We miss you',
      body: '10 % off your next order with {{ promoCode }}.',
      clickUrl: `${shop}/welcome-back`,
    },
    openedOf100: 6,
  },
  {
    daysAgo: 3,
    hour: 12,
    trackId: 'new-arrivals',
    segment: { all: [{ name: 'ViewItem.count', operator: 'greater_than', value: 1 }] },
    content: 'The trail backpack you were waiting for is back in stock.',
    notification: {
      title: 'Back in stock',
      body: 'The trail backpack, in three sizes.',
      clickUrl: `${shop}/backpacks`,
      actions: [{ id: 'look', title: 'Have a look', url: `${shop}/backpacks` }],
    },
    openedOf100: 16,
  },
  {
    daysAgo: 1,
    hour: 16,
    channel: 'news',
    content: 'Gifts under 20 € that are not socks',
    notification: { title: 'This week at the shop', clickUrl: `${shop}/news/gifts` },
    openedOf100: 13,
  },
]
