import type { DetailCode } from '@peyk/contract'

const inInbox = '; it waits in the inbox'

const sentences: [DetailCode, ...string[]][] = [
  ['no-token', 'the installation has no push token', `the installation has no push token${inInbox}`],
  [
    'notifications-off',
    'notifications are not allowed on the device',
    `notifications are not allowed on the device${inInbox}`,
  ],
  [
    'silent',
    'it is silent: no notification, and it is connected',
    'it is silent: no notification, it waits in the inbox',
  ],
  ['in-app', 'it is for the open app, and it is connected', 'it is for the open app, it waits in the inbox'],
  ['live-open', 'it is live and the app is open'],
  ['live-closed', 'a live message goes to installations with the app open only'],
  ['connected-only', 'it is connected, and no provider reaches it'],
  ['uninstalled-before', 'uninstalled before it was sent'],
  ['other-user', 'another user is logged in by now'],
  ['too-large-for-client', 'it is larger than the client takes'],
  ['client-gone', 'it is live, and the client was gone'],
]

interface CodeAndProvider {
  code: DetailCode
  provider: string | null
}

/** The sentences that versions without codes stored as the detail of a delivery, and what they say. */
export const oldSentences: ReadonlyMap<string, CodeAndProvider> = new Map([
  ...sentences.flatMap(([code, ...texts]) => texts.map((text) => [text, { code, provider: null }] as const)),
  ...['fcm', 'apns', 'webpush'].flatMap((provider): [string, CodeAndProvider][] => [
    [`the app has no credentials for ${provider}`, { code: 'no-credentials', provider }],
    [`the app has no credentials for ${provider}${inInbox}`, { code: 'no-credentials', provider }],
    [`it is connected; ${provider} follows if it does not acknowledge`, { code: 'connected-first', provider }],
  ]),
])
