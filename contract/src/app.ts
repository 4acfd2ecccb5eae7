import Type, { type Static } from 'typebox'
import { CategoryId } from './campaigns/categories.ts'
import { defineEndpoint } from './schema/endpoint.ts'
import { Name } from './schema/words.ts'

const group = 'The app'

const Clock = Type.String({
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  expected: 'a time of day such as "22:00"',
})

const QuietHours = Type.Object(
  { from: Clock, to: Clock },
  {
    expected: 'an object such as {"from": "22:00", "to": "08:00"}',
    description:
      'On each user’s clock, from `from` until before `to`; they may go over midnight. Messages with a category wait for their end.',
  },
)
export type QuietHours = Static<typeof QuietHours>

export const Cap = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: 100, expected: 'a whole number from 1 to 100' }),
    window: Type.String({
      pattern: '^[1-9]\\d{0,2}[hd]$',
      expected: 'hours or days, such as "24h" or "7d", of at most 30 days',
      description: 'The last so many hours or days: `24h`, `7d`; at most 30 days.',
    }),
    categories: Type.Optional(
      Type.Array(Type.String({ expected: 'the id of a category' }), {
        minItems: 1,
        maxItems: 100,
        expected: 'an array of category ids',
        description: 'The categories that count together; all of them unless given.',
      }),
    ),
  },
  { expected: 'an object such as {"count": 3, "window": "24h"}' },
)
export type Cap = Static<typeof Cap>

export function capWindowMs({ window }: Pick<Cap, 'window'>): number {
  const hours = Number.parseInt(window, 10) * (window.endsWith('d') ? 24 : 1)
  return hours * 3_600_000
}

const OwnApp = Type.Object({
  appId: Type.String(),
  name: Type.String({ description: 'The title of notifications that have none.' }),
  defaultNotificationText: Type.Optional(
    Type.String({ description: 'The text of notifications for which the message has none.' }),
  ),
  defaultIcon: Type.Optional(Type.String({ description: 'The icon of notifications that have none.' })),
  allowUserMessages: Type.Boolean({
    description:
      'Users who are logged in may send messages to each other over the live connection. `data.senderId` of such a message is the sender.',
  }),
  allowPublicUserMessages: Type.Boolean({
    description: 'With `allowUserMessages`: they may send to everybody on a public channel, too.',
  }),
  identityVerification: Type.Boolean({
    description: 'A client key can log in as a user only with the `userHash` that the backend creates for that user.',
  }),
  withholdCodesFromGuests: Type.Boolean({ description: 'Guests get no promo codes.' }),
  withholdCodesHours: Type.Integer({
    description: 'Installations get promo codes only so many hours after they were registered; 0 for at once.',
  }),
  quietHours: Type.Optional(QuietHours),
  caps: Type.Array(Cap, { description: 'At most so many messages per user in a window of time.' }),
  controlGroup: Type.Number({
    description: 'The share of users, in percent, who get nothing but transactional messages, to compare with.',
  }),
  groupCategory: Type.Optional(
    Type.String({
      description:
        'The category of sends to groups (segments, channels, everybody) that name none. Absent: they are transactional.',
    }),
  ),
  approvalAbove: Type.Optional(
    Type.Integer({
      description:
        'A send from the panel to more installations than this waits until another member approves it. Absent: none does.',
    }),
  ),
  zone: Type.String({
    description:
      'The time zone of users of whom none is known, for messages that go at a local time and for quiet hours.',
  }),
})

export type OwnApp = Static<typeof OwnApp>

const IdentitySecret = Type.String({
  description: 'The key of `userHash`: HMAC-SHA256 of the user id, in hex. It is shown only once.',
})

const example = {
  appId: 'shop',
  name: 'My shop',
  defaultNotificationText: 'There is news for you.',
  defaultIcon: 'https://shop.example/icon.png',
  allowUserMessages: false,
  allowPublicUserMessages: false,
  identityVerification: true,
  withholdCodesFromGuests: false,
  withholdCodesHours: 0,
  quietHours: { from: '22:00', to: '08:00' },
  caps: [{ count: 3, window: '24h' }],
  controlGroup: 0,
  groupCategory: 'news',
  approvalAbove: 50_000,
  zone: 'Asia/Tehran',
}

const identitySecret = 'idsec_2f0c5b8e1a7d4693c0e85f1b6a2d97348b1e60f4c5d7a9028e3b6f1d40c7a582'

export const getApp = defineEndpoint({
  summary: 'Read the app that the access token belongs to',
  group,
  answer: OwnApp,
  example: { answer: example },
})

export const changeApp = defineEndpoint({
  summary: 'Change the settings of the app',
  description: `What is not given stays as it is; an empty text takes a default away. Switching \`identityVerification\` on makes a
secret, which is in this answer only; switching it off forgets the secret. Both take effect at once, in other processes of the service within a second.

A message with a promo code ends as \`promo-withheld\` where \`withholdCodesFromGuests\` or \`withholdCodesHours\` keep the code back; no code is used up.

\`quietHours\`, \`caps\` and \`controlGroup\` hold for messages with a category, from the next one that is handed over. \`null\` and an empty array take them away.

\`groupCategory\` is for sends that go to no named users: by a segment, a filter, a channel, or \`*\`. One that says \`transactional\` itself stays exempt. What was
accepted before keeps what it had. A category cannot be deleted while it is this one.

\`approvalAbove\` is about sends of members in the panel only: access tokens send without approval.`,
  group,
  body: Type.Object({
    name: Type.Optional(Name('a name of 1 to 255 bytes')),
    defaultNotificationText: Type.Optional(
      Type.String({ maxLength: 1000, expected: 'a text of at most 1000 characters' }),
    ),
    defaultIcon: Type.Optional(
      Type.String({ maxLength: 2000, expected: 'a link or a name of at most 2000 characters' }),
    ),
    allowUserMessages: Type.Optional(Type.Boolean({ expected: 'true or false' })),
    allowPublicUserMessages: Type.Optional(Type.Boolean({ expected: 'true or false' })),
    identityVerification: Type.Optional(Type.Boolean({ expected: 'true or false' })),
    withholdCodesFromGuests: Type.Optional(Type.Boolean({ expected: 'true or false' })),
    withholdCodesHours: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 8760, expected: 'a whole number of hours from 0 to 8760' }),
    ),
    quietHours: Type.Optional(Type.Union([QuietHours, Type.Null()], { expected: 'quiet hours, or null for none' })),
    caps: Type.Optional(
      Type.Array(Cap, { maxItems: 10, expected: 'an array of at most 10 caps; an empty one for none' }),
    ),
    controlGroup: Type.Optional(Type.Number({ minimum: 0, maximum: 50, expected: 'a share from 0 to 50 percent' })),
    groupCategory: Type.Optional(
      Type.Union([CategoryId, Type.Null()], {
        expected: 'the id of a category, or null for none',
        description: '`null` for none.',
      }),
    ),
    approvalAbove: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 2_000_000_000 }), Type.Null()], {
        expected: 'a whole number of installations, or null for none',
        description: '`null` for none.',
      }),
    ),
    zone: Type.Optional(
      Type.String({
        maxLength: 64,
        expected: 'a time zone such as "Asia/Tehran"',
        description: 'UTC when it is empty.',
      }),
    ),
  }),
  answer: Type.Object({ ...OwnApp.properties, identitySecret: Type.Optional(IdentitySecret) }),
  example: {
    body: { name: example.name, identityVerification: true },
    answer: { ...example, identitySecret },
  },
})

export const replaceIdentitySecret = defineEndpoint({
  summary: 'Replace the identity secret of the app',
  description:
    'Hashes made with the old one are refused from then on, by other processes of the service within a second. Who is logged in stays so.',
  group,
  answer: Type.Object({ identitySecret: IdentitySecret }),
  example: { answer: { identitySecret } },
})
