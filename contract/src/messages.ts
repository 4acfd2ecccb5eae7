import Type, { type Static } from 'typebox'
import { Goal, Variant, Winner } from './campaigns/variants.ts'
import {
  countsOf,
  deliveryReasons,
  deliveryStates,
  detailCodes,
  Influenced,
  noneOf,
  troubleReasons,
} from './delivery-words.ts'
import { DryRun, DryRunQuery, HourCount } from './dry-run.ts'
import {
  AnyNotification,
  Fallback,
  GroupMessage,
  Notification,
  PersonalMessage,
  PersonalNotification,
  Throttle,
} from './message-body.ts'
import { defineEndpoint } from './schema/endpoint.ts'
import { Contents } from './schema/language-texts.ts'
import { JsonObject, UserId, warningFields } from './schema/words.ts'

export * from './campaigns/campaigns.ts'
export * from './campaigns/variants.ts'
export * from './delivery-words.ts'
export * from './dry-run.ts'
export * from './message-body.ts'
export * from './schema/language-texts.ts'

const sending = 'Sending'
const finding = 'Messages'
const maxMessages = 10_000

const Accepted = Type.Object({
  id: Type.String({ description: 'The message’s id.' }),
  count: Type.Integer({ description: 'Installations it goes to, counted when it was accepted.' }),
  seriesId: Type.Optional(
    Type.String({ description: 'Of a message with `repeat`: the series, of which `id` is the first occurrence.' }),
  ),
  ...warningFields(),
})
const AcceptedOrDryRun = Type.Union([Accepted, DryRun])
const AcceptedOneOrMany = Type.Union([Accepted, Type.Array(Accepted), DryRun, Type.Array(DryRun)])

const messageId = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'

export const toUsers = defineEndpoint({
  summary: 'Send a message to users',
  description:
    'One object with `user`, one with `users` (the same content for all), or an array of objects for different content per user. An array is answered by an array in the same order; an invalid element fails the whole request. An unknown user is not an error: `count` is 0.',
  group: sending,
  section: '41-send-a-message-to-users',
  query: DryRunQuery,
  body: PersonalMessage,
  maxBodies: maxMessages,
  answer: AcceptedOneOrMany,
  example: {
    body: {
      user: 'sara',
      content: 'Your order is on its way',
      data: { orderId: 'A-1024' },
      notification: { title: 'Order A-1024', body: 'On its way', clickUrl: 'https://shop.example/orders/A-1024' },
      ttl: 3600,
    },
    answer: { id: messageId, count: 2 },
  },
})

export const notifyUsers = defineEndpoint({
  summary: 'Send a notification to users or to a group',
  description:
    'Takes every body that `toUsers` takes, and the body of `byQuery`. Only the notification is sent: nothing waits in an inbox, and channels do not apply. A body whose `notification` has its own text may leave `content` out.',
  group: sending,
  section: '42-send-a-notification',
  query: DryRunQuery,
  body: AnyNotification,
  maxBodies: maxMessages,
  answer: AcceptedOneOrMany,
  example: {
    body: {
      users: ['sara', 'omid'],
      content: 'The sale has started',
      notification: { title: 'Sale', requireInteraction: true },
      contents: { fa: { content: 'حراج شروع شد', notification: { title: 'حراج' } } },
    },
    answer: { id: messageId, count: 3 },
  },
})

export const byQuery = defineEndpoint({
  summary: 'Send a message to a group',
  description:
    'To the installations that match `segment` (rules) or `target` (a where-filter, a saved segment, or everybody) at this moment. A `trackId` makes it part of that campaign, which is created when it is new.',
  group: sending,
  section: '43-send-a-message-to-a-group',
  query: DryRunQuery,
  body: GroupMessage,
  answer: AcceptedOrDryRun,
  example: {
    body: {
      segment: {
        all: [
          { name: 'deviceType', operator: 'equal_to', value: 'android' },
          { name: 'launchTime', operator: 'before', value: '168h' },
        ],
      },
      content: 'We miss you. Your code: {{ promoCode }}',
      trackId: 'come-back',
    },
    answer: { id: messageId, count: 5321 },
  },
})

export const notifyToUsers = defineEndpoint({
  summary: 'Send a notification to users, with an SMS fallback',
  description: '`notifyUsers` for `user` or `users`, with a `fallback`.',
  group: sending,
  query: DryRunQuery,
  body: PersonalNotification,
  answer: AcceptedOrDryRun,
  example: {
    body: {
      user: '989121234567',
      content: 'Your code is {{ values.code }}',
      fallback: { content: 'Your code is {{ values.code }}', delay: 30, media: 'sms', policy: 'NOT_RECEIVED' },
      values: { code: '5521' },
    },
    answer: { id: messageId, count: 1 },
  },
})

export const notifyUser = defineEndpoint({
  summary: 'Send a notification to one user',
  description: 'The body is the notification object.',
  group: sending,
  params: Type.Object({ userId: UserId }),
  query: DryRunQuery,
  body: Notification,
  answer: AcceptedOrDryRun,
  example: {
    params: { userId: 'sara' },
    body: { title: 'Order A-1024', body: 'On its way' },
    answer: { id: messageId, count: 2 },
  },
})

const State = Type.Enum(deliveryStates, { expected: `one of ${deliveryStates.join(', ')}` })
const Reason = Type.Enum(deliveryReasons, { expected: `one of ${deliveryReasons.join(', ')}` })

export const Message = Type.Object({
  id: Type.String(),
  product: Type.Union([Type.Literal('message'), Type.Literal('notification')]),
  audience: Type.Union([Type.Literal('users'), Type.Literal('public'), Type.Literal('query')]),
  createdAt: Type.Integer({
    description: 'When it was accepted, or when it started if it was scheduled, in epoch milliseconds.',
  }),
  sendAt: Type.Optional(
    Type.Integer({
      description: 'When it was scheduled for, in epoch milliseconds; with a local time, when the first users are due.',
    }),
  ),
  localTime: Type.Optional(
    Type.Object(
      {
        local: Type.String(),
        zone: Type.Optional(Type.String({ description: 'Of users of whom no zone is known. Fixed when it starts.' })),
        late: Type.Union([Type.Literal('now'), Type.Literal('nextDay'), Type.Literal('skip')]),
        ttl: Type.Number({ description: 'How long each user has it from then on, in seconds.' }),
      },
      { description: 'It goes to each user at this time on the user’s own clock.' },
    ),
  ),
  seriesId: Type.Optional(Type.String({ description: 'The series that it is an occurrence of.' })),
  expireAt: Type.Integer({ description: 'Epoch milliseconds; with a local time, for the last users.' }),
  cancelledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  recalledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  count: Type.Integer({ description: 'Installations it goes to, counted when it was accepted.' }),
  user: Type.Optional(Type.String({ description: 'The receiver, when it is one; `*` for everybody.' })),
  userCount: Type.Optional(Type.Integer({ description: 'How many users were named, when more than one.' })),
  channel: Type.String({ description: '`default`, `public/x` or `private/x`.' }),
  trackId: Type.Optional(Type.String()),
  clientId: Type.Optional(Type.String()),
  target: Type.Optional(Type.Unknown()),
  segment: Type.Optional(JsonObject),
  segmentId: Type.Optional(Type.String({ description: 'The saved segment that the rules are from.' })),
  content: Type.Optional(Type.String()),
  data: Type.Optional(JsonObject),
  alertText: Type.Optional(Type.String()),
  inApp: Type.Optional(Type.Boolean()),
  live: Type.Optional(Type.Boolean()),
  autoNotify: Type.Optional(Type.Boolean()),
  useAsAlert: Type.Optional(Type.Boolean()),
  silent: Type.Optional(Type.Boolean()),
  category: Type.Optional(Type.String({ description: 'Absent when it is transactional.' })),
  quietHours: Type.Optional(Type.Literal('ignore')),
  whenCapped: Type.Optional(Type.Literal('wait')),
  notification: Type.Optional(Type.Omit(Notification, ['text'])),
  fallback: Type.Optional(Type.Required(Fallback)),
  contents: Type.Optional(Contents),
  throttle: Type.Optional(Throttle),
  variants: Type.Optional(Type.Array(Variant, { description: 'With their shares.' })),
  control: Type.Optional(Type.Number({ description: 'Percent of the users who get nothing.' })),
  winner: Type.Optional(Type.Required(Winner)),
  goal: Type.Optional(Type.Required(Goal)),
})
export type Message = Static<typeof Message>

export const messageStates = ['scheduled', 'sending', 'sent', 'paused', 'cancelled', 'recalled'] as const
export type MessageState = (typeof messageStates)[number]

const message = {
  id: messageId,
  product: 'message',
  audience: 'users',
  createdAt: 1_794_700_800_000,
  expireAt: 1_794_704_400_000,
  count: 2,
  user: 'sara',
  channel: 'default',
  content: 'Your order is on its way',
  data: { orderId: 'A-1024' },
}

const Cursor = Type.Optional(Type.String({ description: 'The `cursor` of the page before.' }))
const NextCursor = Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' }))
const Limit = (maximum: number, usual: number) =>
  Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum,
      expected: `a whole number from 1 to ${maximum}`,
      description: `${usual} unless given.`,
    }),
  )

export const messages = defineEndpoint({
  summary: 'Find messages, newest first',
  description: 'By `trackId`, `clientId` or `user`, or several of them together; all messages when none is given.',
  group: finding,
  query: Type.Object({
    trackId: Type.Optional(Type.String()),
    clientId: Type.Optional(Type.String()),
    user: Type.Optional(Type.String({ description: 'A user id the message was sent to, or `*`.' })),
    cursor: Cursor,
    limit: Limit(100, 25),
  }),
  answer: Type.Object({ data: Type.Array(Message), cursor: NextCursor }),
  example: { query: { user: 'sara' }, answer: { data: [message] } },
})

const MessageId = Type.Object({ id: Type.String({ description: 'The id that the send answered.' }) })

export const InFlight = Type.Integer({
  description:
    'Of those that wait, the ones being handed over at this moment. When the message is paused or cancelled, those of them that no provider has yet are called back within about a second, which its answer waits for; the rest goes out.',
})

export const Stall = Type.Object({
  provider: Type.String({ description: '`fcm`, `apns` or `webpush`.' }),
  since: Type.Integer({ description: 'Epoch milliseconds: since when it accepts nothing.' }),
  reason: Type.Enum([...troubleReasons, 'paused'], {
    description:
      'Why, at the last try: it was not reached (the first five), it answers with 5xx (`server-error`), or it asks to slow down (`slow-down`). `paused`: it is, because it refused the credentials.',
  }),
})
export type Stall = Static<typeof Stall>

export const Progress = Type.Object({
  total: Type.Integer({ description: 'Installations it goes to, counted when it was accepted.' }),
  settled: Type.Integer({ description: 'Handed to a provider, put into the inbox, or ended.' }),
  waiting: Type.Integer({ description: 'Still to be worked on.' }),
  inFlight: Type.Optional(InFlight),
  inInbox: Type.Optional(
    Type.Integer({
      description: 'Of those that are settled, the ones in an inbox that their device has not read yet.',
    }),
  ),
  cancelled: Type.Optional(Type.Integer({ description: 'Do not get it, because it was cancelled.' })),
  ratePerSecond: Type.Optional(
    Type.Number({ description: 'On average from `startedAt` to now or to `finishedAt`, pauses included.' }),
  ),
  perMinute: Type.Optional(
    Type.Integer({ description: 'The pace that `throttle` allows, in installations a minute.' }),
  ),
  etaSeconds: Type.Optional(
    Type.Integer({
      description:
        'How long the rest takes at this rate, or at the pace of `throttle`. Absent while it waits for a provider.',
    }),
  ),
  waitingFor: Type.Optional(
    Type.Array(Stall, {
      description: 'Providers that accept nothing at the moment and that part of the message waits for.',
    }),
  ),
  waitingUntil: Type.Optional(
    Type.Array(HourCount, {
      description: 'Of those that wait, how many wait for the local time of their users, by the hour in which that is.',
    }),
  ),
  startedAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  finishedAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds; of a group message.' })),
  paused: Type.Optional(Type.Boolean()),
  stopped: Type.Optional(Type.Boolean({ description: 'All sending of the app is stopped.' })),
})

export const Languages = Type.Record(Type.String(), Type.Integer(), {
  description:
    'When the message has `contents`: to how many installations it was handed over in which of its languages; `default` are the plain texts.',
})
/** Of the devices that had been handed the message. */
const recallFields = {
  cleared: Type.Integer({
    description:
      'Devices that were told to take it away: their provider accepted the silent push, or they acknowledged it over their connection.',
  }),
  notReachable: Type.Integer({
    description: 'Devices that no provider reaches. They are told when they connect.',
  }),
  waiting: Type.Optional(
    Type.Integer({ description: 'Devices that are still to be told; absent when there are none.' }),
  ),
}
export const Recall = Type.Object(recallFields)
export type Recall = Static<typeof Recall>

export const messageById = defineEndpoint({
  summary: 'Read a message and its results',
  description:
    'Counts per state are cumulative: what was opened was also shown, delivered and sent. `queued` are those still waiting, `ended` those that ended with one of the reasons. Also served at `/api/messages/fetchById/{id}`.',
  group: finding,
  params: MessageId,
  answer: Type.Object({
    ...Message.properties,
    state: Type.Enum(messageStates, { description: 'Where it stands as a whole.' }),
    states: countsOf(deliveryStates),
    reasons: countsOf(deliveryReasons),
    actions: Type.Record(Type.String(), Type.Integer(), { description: 'How many installations took each action.' }),
    languages: Type.Optional(Languages),
    progress: Progress,
    influenced: Influenced,
    fallbackCounts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), { description: 'SMS fallbacks, by state.' }),
    ),
    recall: Type.Optional(Type.Object(recallFields, { description: 'How far its recall has come.' })),
  }),
  example: {
    params: { id: messageId },
    answer: {
      ...message,
      state: 'sent',
      states: { ...noneOf(deliveryStates), sent: 2, delivered: 2, shown: 2, opened: 1, acted: 1 },
      reasons: noneOf(deliveryReasons),
      actions: { track: 1 },
      progress: { total: 2, settled: 2, waiting: 0, startedAt: 1_794_700_800_020 },
      influenced: { events: 3, directEvents: 1, revenue: { EUR: 49.9 } },
    },
  },
})

export const deliveries = defineEndpoint({
  summary: 'List the deliveries of a message',
  description:
    'One per installation, in a fixed order. A group message that is still to be expanded into installations has counts but no list yet. `userId` is whose the installation is now.',
  group: finding,
  params: MessageId,
  query: Type.Object({
    state: Type.Optional(State),
    reason: Type.Optional(Reason),
    installationId: Type.Optional(Type.String()),
    userId: Type.Optional(Type.String()),
    deviceType: Type.Optional(Type.String()),
    cursor: Cursor,
    limit: Limit(1000, 100),
  }),
  answer: Type.Object({
    data: Type.Array(
      Type.Object({
        installationId: Type.Optional(Type.String()),
        userId: Type.Optional(Type.String()),
        deviceType: Type.Optional(Type.String()),
        state: State,
        reason: Type.Optional(Reason),
        provider: Type.Optional(Type.String()),
        language: Type.Optional(
          Type.String({
            description:
              'Of a message with `contents`: in which of its languages it was handed over, or `default` for the plain texts.',
          }),
        ),
        variant: Type.Optional(
          Type.String({
            description:
              'Of a message with `variants` or `control`: which of them the user was given; `default` where it has no variants, `control` for its control group.',
          }),
        ),
        detail: Type.Optional(Type.String({ description: 'What the provider said, or what else explains the state.' })),
        detailCode: Type.Optional(
          Type.Enum(detailCodes, {
            description: 'What `detail` says, for programs, where it is not a provider that says it.',
          }),
        ),
        detailProvider: Type.Optional(Type.String({ description: 'The provider that `detail` speaks of.' })),
        sentAt: Type.Optional(Type.Integer({ description: 'When a provider accepted it, in epoch milliseconds.' })),
        updatedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
      }),
    ),
    cursor: NextCursor,
  }),
  example: {
    params: { id: messageId },
    query: { state: 'ended' },
    answer: {
      data: [
        {
          installationId: '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11',
          userId: 'sara',
          deviceType: 'android',
          state: 'ended',
          reason: 'gone',
          provider: 'fcm',
          detail: '404 UNREGISTERED',
          updatedAt: 1_794_700_801_250,
        },
      ],
    },
  },
})

export const cancelMessage = defineEndpoint({
  summary: 'Cancel a message',
  group: finding,
  params: MessageId,
  answer: Type.Object({
    id: Type.String(),
    count: Type.Integer({ description: 'Installations that it was not sent to yet, and now will not be.' }),
    inFlight: InFlight,
    handedOver: Type.Integer({ description: 'Installations for which it was handed over, or had ended, before.' }),
  }),
  example: { params: { id: messageId }, answer: { id: messageId, count: 1200, inFlight: 0, handedOver: 800 } },
})

export const recallMessage = defineEndpoint({
  summary: 'Recall a message',
  description: `What has not gone is cancelled, as \`DELETE\` does. Devices that were handed the message are told once, silently, to take its notification off the screen and to forget it: over their connection, or by their provider. That goes on after the answer, which waits for it for some seconds; \`GET /api/messages/{id}\` then says how far it came.

States of deliveries stay as they are. A scheduled message is cancelled. Asked again, it changes nothing and answers the counts of now.`,
  group: finding,
  params: MessageId,
  answer: Type.Object({
    id: Type.String(),
    cancelled: Type.Integer({ description: 'Installations that it was not sent to yet, and now will not be.' }),
    ...recallFields,
  }),
  example: {
    params: { id: messageId },
    answer: { id: messageId, cancelled: 1200, cleared: 790, notReachable: 10 },
  },
})

const later = {
  ...message,
  createdAt: 1_794_700_800_000,
  sendAt: 1_794_819_600_000,
  expireAt: 1_794_823_200_000,
}

export const scheduledMessages = defineEndpoint({
  summary: 'List scheduled messages, the next one first',
  description:
    'Messages whose `sendAt` has not come, and of each series that is not paused the next five occurrences. `count` is of the moment they were accepted or changed last.',
  group: finding,
  query: Type.Object({ cursor: Cursor, limit: Limit(100, 25) }),
  answer: Type.Object({ data: Type.Array(Message), cursor: NextCursor }),
  example: { query: { limit: '1' }, answer: { data: [later] } },
})

export const changeScheduled = defineEndpoint({
  summary: 'Change a scheduled message',
  description:
    'What is not given stays. It is checked and counted as a new one is. Once the message has started, or was cancelled, it is refused with 409 `already-started`. A `sendAt` of now starts it at once. An occurrence of a series is changed on its own, and is not touched any more when the series is changed; `repeat` is the series’.',
  group: finding,
  params: MessageId,
  body: AnyNotification,
  answer: Message,
  example: {
    params: { id: messageId },
    body: { sendAt: '2026-11-16T09:00+03:30' },
    answer: later,
  },
})
