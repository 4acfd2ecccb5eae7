import Type, { type Static, type TSchema } from 'typebox'
import { testFields } from './campaigns/variants.ts'
import { Repeat } from './schedule/repeat.ts'
import { Contents } from './schema/language-texts.ts'
import { Values } from './schema/values.ts'
import { JsonObject, UserId } from './schema/words.ts'

const text = (description: string) => Type.Optional(Type.String({ description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const id = (description: string) =>
  Type.Optional(
    Type.Refine(
      Type.String({ maxLength: 255, description, expected: 'a text of at most 255 bytes' }),
      (value) => new TextEncoder().encode(value).length <= 255,
      () => 'must not be longer than 255 bytes',
    ),
  )

/** [interface.md#23-action-buttons] */
export const Action = Type.Object(
  {
    id: text('Action id.'),
    title: text('Action title.'),
    options: Type.Optional(
      Type.Integer({
        minimum: 0,
        expected: 'a sum of 1 (authentication required), 2 (destructive) and 4 (foreground)',
        description: 'iOS only; bit flags: 1 authentication required, 2 destructive, 4 foreground.',
      }),
    ),
    icon: text('Icon name in the drawable folder (Android), or a link.'),
    url: text('Destination link or deep link.'),
    action: text('What the action does, such as a reply.'),
  },
  { expected: 'an action object' },
)

/** [interface.md#22-notifications] */
export const Notification = Type.Object(
  {
    title: Type.String({ description: 'Notification title.' }),
    body: text('Notification text.'),
    text: text('Another name of `body`.'),
    groupId: text('Custom grouping of notifications.'),
    icon: text('Notification image.'),
    sound: text('Sound.'),
    clickUrl: text('Link opened on click: http, https or an app scheme.'),
    ledColor: text('LED colour as a HEX code, Android only.'),
    smallIcon: text('Small icon, Android only.'),
    largeIcon: text('Link of a large icon.'),
    chromeBadge: text('Link of a badge.'),
    color: text('Colour code.'),
    dir: text('Text direction, such as rtl.'),
    vibrate: Type.Optional(Type.Array(Type.Number(), { description: 'Vibration pattern in milliseconds.' })),
    actions: Type.Optional(Type.Array(Action, { description: 'Buttons.' })),
    mediaType: text('Media type, such as the name of an image format.'),
    mediaUrl: text('Media link.'),
    contentAvailable: flag('A silent update in background or foreground. Takes 1 as true.'),
    mutableContent: flag('Must be set to support multimedia notifications. Takes 1 as true.'),
    category: text('Notification category id.'),
    requireInteraction: flag('Browsers only: it stays until the user touches it.'),
    renotify: flag(
      'Browsers only: sound and vibration again when it replaces one with the same tag, which is the message’s id.',
    ),
  },
  { expected: 'a notification object' },
)

/** [sending.md#sms-fallback] */
export const Fallback = Type.Object(
  {
    content: Type.String({ minLength: 1, description: 'Text of the SMS.', expected: 'the text of the SMS' }),
    delay: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2_592_000,
        description: 'Seconds to wait for the message to be received; 60 by default.',
        expected: 'a number of seconds from 0 to 2592000',
      }),
    ),
    media: Type.Optional(Type.String({ pattern: '^[sS][mM][sS]$', expected: '"sms"', description: '`sms`.' })),
    policy: Type.Optional(
      Type.Union([Type.Literal('NOT_RECEIVED'), Type.Literal('NOTIFICATION_SHOWN')], {
        description: 'What must not have happened for the SMS to be sent: received (the default), or shown.',
      }),
    ),
  },
  { expected: 'a fallback object' },
)

export const TemplateId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[a-z0-9][a-z0-9._-]*$',
  expected: 'a template id of 1 to 64 characters: a to z, digits, ".", "_" and "-"',
})

const templateId = Type.Optional(
  Type.String({
    description:
      'The id of a template, which says everything about the message that is not said here. The message keeps the text it was sent with.',
  }),
)

const lateChoices = ['now', 'nextDay', 'skip'] as const

export const LocalTime = Type.Object(
  {
    local: Type.String({ description: 'A date and a time without an offset, such as `2026-12-01T09:00`.' }),
    zone: Type.Optional(
      Type.String({
        description: 'The time zone of users of whom none is known, such as `Asia/Tehran`; the app’s unless given.',
      }),
    ),
    late: Type.Optional(
      Type.Unsafe<(typeof lateChoices)[number]>(
        Type.String({
          description:
            'For users whose time has passed already: `now` (unless given), `nextDay` at that time, or `skip`, which ends as `skipped`.',
        }),
      ),
    ),
  },
  {
    description:
      'At that time on each user’s own clock: the zone of the installation that the user was seen on last. Whom it goes to is looked at when the first users on earth are due; `ttl` counts from each user’s own time.',
  },
)
export type LocalTime = Static<typeof LocalTime>

export const SendAt = Type.Union([Type.Integer(), Type.String(), LocalTime], {
  expected:
    'epoch milliseconds, a date and time with its offset, such as "2026-12-01T09:00+03:30", or {"local": "2026-12-01T09:00"}',
  description:
    'When it is to go, at most a year ahead: epoch milliseconds, ISO 8601 with an offset, or a local time. Whom it goes to is looked at then; `ttl` counts from then. The last hour counts as now.',
})

const mostPerMinute = 10_000_000

export const Throttle = Type.Object(
  {
    perMinute: Type.Integer({
      minimum: 1,
      maximum: mostPerMinute,
      expected: 'a whole number from 1 to 10,000,000',
      description: 'Installations a minute, at most.',
    }),
  },
  {
    expected: 'an object with "perMinute"',
    description:
      'How fast it goes at most, spread evenly over each minute. A provider that takes less slows it down further. A pause or a restart saves up nothing.',
  },
)
export type Throttle = Static<typeof Throttle>

/** [interface.md#21-messages] What personal and group sending share, besides `content`. */
const sharedFields = {
  channel: id('Channel; the default one unless given. `/private/x` is the user’s own channel x.'),
  // PHP writes an empty object as an empty array.
  data: Type.Optional(
    Type.Union([JsonObject, Type.Array(Type.Unknown(), { maxItems: 0 })], {
      expected: 'a JSON object',
      description: 'Message data.',
    }),
  ),
  trackId: id('Tracking id: the campaign this belongs to.'),
  inApp: flag('Received while the app is open; no notification.'),
  live: flag('Only for installations that have the app open at send time.'),
  autoNotify: flag('The platform’s push provider displays the message.'),
  useAsAlert: flag('Use the message text as the notification text.'),
  alertText: text('Separate text for the notification.'),
  ttl: Type.Optional(
    Type.Number({
      minimum: 0,
      description: 'Seconds from the request until the message expires; 0 means the default.',
      expected: 'a number of seconds that is not negative',
    }),
  ),
  silent: flag('Send without a notification.'),
  notification: Type.Optional(Notification),
  contents: Type.Optional(Contents),
  values: Type.Optional(Values),
  ...testFields,
  sendAt: Type.Optional(SendAt),
  category: Type.Optional(
    Type.String({
      description:
        'What kind of message it is to the user: one of the app’s categories. Caps, quiet hours, preferences and the control group hold for it. Without one it is `transactional`, and exempt from them, unless it goes to a group and the app has a `groupCategory`.',
    }),
  ),
  quietHours: Type.Optional(
    Type.Union([Type.Literal('respect'), Type.Literal('ignore')], {
      expected: '"respect" or "ignore"',
      description: 'Whether it waits for the end of the app’s quiet hours; it does unless `ignore` is given.',
    }),
  ),
  whenCapped: Type.Optional(
    Type.Union([Type.Literal('drop'), Type.Literal('wait')], {
      expected: '"drop" or "wait"',
      description:
        'What becomes of it for a user who has had as many messages as a cap allows: it ends as `capped` (`drop`, the default), or waits until the cap allows it or it expires.',
    }),
  ),
  repeat: Type.Optional(Repeat),
  throttle: Type.Optional(Throttle),
}

const userId = '1 to 64 characters without white space and without / \\ + * #'

const listOfUsers = { maxItems: 10_000, tooMany: 'user ids' }

const personalFields = {
  user: Type.Optional(
    Type.Union(
      [Type.String({ maxLength: 64, pattern: '^(?:\\*|[^\\s/\\\\+*#]+)$' }), Type.Array(UserId, listOfUsers)],
      {
        expected: `a user id (${userId}), an array of user ids, or "*"`,
        description: 'A registered user id, or `*` for everybody on the public channel. An array is taken as `users`.',
      },
    ),
  ),
  users: Type.Optional(
    Type.Array(UserId, {
      ...listOfUsers,
      description: 'Up to 10,000 user ids.',
      expected: `an array of user ids (${userId})`,
    }),
  ),
  fallback: Type.Optional(Fallback),
  clientId: id('An id of the caller’s own, stored and returned with the message.'),
}

const groupFields = {
  target: Type.Optional(
    Type.Union([JsonObject, Type.String()], {
      expected: 'a where-filter, or the id or name of a saved segment',
      description:
        'A where-filter over installation fields, the id or name of a saved segment, or `{}` for everybody. Exactly one of `target` and `segment`.',
    }),
  ),
  segment: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      expected: 'a segment object with "all" or "any"',
      description: 'Rules under `all`. Exactly one of `target` and `segment`.',
    }),
  ),
}

const content = Type.Optional(Type.String({ description: 'Message text; a template may have it instead.' }))

// Recipient fields of other endpoints are refused: ignoring them would send the message to the wrong people.
const refused = <S extends TSchema>(_schema: S, endpoint: string) =>
  Type.Optional(Type.Unsafe<Static<S>>({ description: `Refused: use \`${endpoint}\`.` }))
const noGroup = { target: refused(groupFields.target, 'byQuery'), segment: refused(groupFields.segment, 'byQuery') }
const noUsers = { user: refused(personalFields.user, 'toUsers'), users: refused(personalFields.users, 'toUsers') }

export const PersonalMessage = Type.Object({ ...personalFields, content, templateId, ...sharedFields, ...noGroup })

export const GroupMessage = Type.Object({
  ...groupFields,
  content,
  templateId,
  ...sharedFields,
  clientId: personalFields.clientId,
  ...noUsers,
})

/** A notification may do without a message text when it has its own. */
export const PersonalNotification = Type.Object({
  ...personalFields,
  content,
  templateId,
  ...sharedFields,
  ...noGroup,
})

export const AnyNotification = Type.Object({
  ...personalFields,
  ...groupFields,
  content,
  templateId,
  ...sharedFields,
})

export type PersonalMessage = Static<typeof PersonalMessage>
export type GroupMessage = Static<typeof GroupMessage>
export type PersonalNotification = Static<typeof PersonalNotification>
export type AnyNotification = Static<typeof AnyNotification>
export type Notification = Static<typeof Notification>
export type Fallback = Static<typeof Fallback>
