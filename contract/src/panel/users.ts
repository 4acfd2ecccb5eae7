import Type, { type Static } from 'typebox'
import { deliveryReasons, deliveryStates } from '../delivery-words.ts'
import { events } from '../events.ts'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Count, JsonObject, Tag, UserId } from '../schema/words.ts'

const group = 'Panel: users'
// Any text: who is not known is answered with 404.
const params = Type.Object({ userId: Type.String({ description: 'The user id.' }) })
const knownParams = Type.Object({ userId: UserId })
const At = Type.Integer({ description: 'Epoch milliseconds.' })
const installationId = '7c9e6679-7425-40de-944b-e07fc1f90ae7'
const messageId = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
const at = 1_794_700_800_000

const TagOfUser = Type.Object({ tag: Type.String(), value: Type.Optional(Type.String()) })
export type TagOfUser = Static<typeof TagOfUser>

const FoundUser = Type.Object({
  userId: Type.String(),
  isGuest: Type.Boolean(),
  createdAt: At,
  lastVisitAt: Type.Optional(At),
  deviceTypes: Type.Array(Type.String(), { description: 'Of the installations that are there now.' }),
  installations: Type.Integer({ description: 'How many are there now.' }),
  tags: Type.Array(TagOfUser, { description: 'At most five.' }),
  foundBy: Type.Enum(['recent', 'userId', 'installationId', 'tag']),
})
export type FoundUser = Static<typeof FoundUser>

export const panelUsers = defineEndpoint({
  summary: 'Find users',
  description:
    'By the beginning of their id, by the id of an installation, by a tag (`vip`), or by a tag and its value (`city=tehran`). At most 50. Without `search`: the 25 who visited last.',
  group,
  query: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 600, pattern: '^[^\\u0000]*$', expected: 'a user id, an installation id or a tag' }),
    ),
  }),
  answer: Type.Object({ data: Type.Array(FoundUser) }),
  example: {
    query: { search: 'sa' },
    answer: {
      data: [
        {
          userId: 'sara',
          isGuest: false,
          createdAt: at,
          lastVisitAt: at,
          deviceTypes: ['android'],
          installations: 1,
          tags: [{ tag: 'vip' }],
          foundBy: 'userId',
        },
      ],
    },
  },
})

const UserDevice = Type.Object({
  id: Type.String(),
  deviceType: Type.String(),
  manufacturer: Type.Optional(Type.String()),
  model: Type.Optional(Type.String()),
  osVersion: Type.Optional(Type.String()),
  clientVersion: Type.Optional(Type.String()),
  language: Type.Optional(Type.String()),
  timeZone: Type.Optional(Type.String()),
  channels: Type.Array(Type.String()),
  visits: Type.Integer(),
  installedAt: At,
  lastVisitAt: At,
  uninstalledAt: Type.Optional(At),
  isSignedIn: Type.Boolean({ description: 'False when the user logged out there and is a guest.' }),
  token: Type.Object({
    isThere: Type.Boolean(),
    status: Type.Optional(Type.String({ description: 'As the device said it, such as ALLOWED.' })),
    changedAt: Type.Optional(At),
    past: Type.Array(
      Type.Object({
        endedAt: At,
        givenAt: Type.Optional(At),
        reason: Type.Enum(['renewed', 'withdrawn', 'taken', 'gone', 'foreign']),
      }),
      { description: 'Earlier tokens, the newest first; at most 20.' },
    ),
  }),
  connection: Type.Optional(Type.Object({ since: At, isOpen: Type.Boolean() })),
  attributes: JsonObject,
})
export type UserDevice = Static<typeof UserDevice>

const UserAttribute = Type.Object({
  name: Type.String(),
  kind: Type.String({ description: 'number, text, boolean, date or list.' }),
  value: Type.Unknown(),
  isInSegments: Type.Boolean({ description: 'False when the value is of another kind than the name’s first use.' }),
})
export type UserAttribute = Static<typeof UserAttribute>

const UserProfile = Type.Object({
  userId: Type.String(),
  isGuest: Type.Optional(Type.Boolean()),
  createdAt: Type.Optional(At),
  tags: Type.Array(TagOfUser),
  attributes: Type.Array(UserAttribute),
  devices: Type.Array(UserDevice),
  revenue: Type.Object({
    currencies: Type.Array(Type.Object({ currency: Type.String(), revenue: Type.Number(), purchases: Type.Integer() })),
    isPartial: Type.Boolean({ description: 'Only the 10,000 newest events were looked at.' }),
  }),
})
export type UserProfile = Static<typeof UserProfile>

export const panelUser = defineEndpoint({
  summary: 'Everything at a glance of a user',
  group,
  params,
  answer: UserProfile,
  example: {
    params: { userId: 'sara' },
    answer: {
      userId: 'sara',
      isGuest: false,
      createdAt: at,
      tags: [{ tag: 'vip' }, { tag: 'city', value: 'tehran' }],
      attributes: [{ name: 'age', kind: 'number', value: 31, isInSegments: true }],
      devices: [
        {
          id: installationId,
          deviceType: 'android',
          model: 'Pixel 9',
          clientVersion: '2.4.1',
          channels: ['default', 'news'],
          visits: 12,
          installedAt: at,
          lastVisitAt: at,
          isSignedIn: true,
          token: { isThere: true, status: 'ALLOWED', changedAt: at, past: [{ endedAt: at, reason: 'renewed' }] },
          connection: { since: at, isOpen: true },
          attributes: {},
        },
      ],
      revenue: { currencies: [{ currency: 'EUR', revenue: 49.9, purchases: 1 }], isPartial: false },
    },
  },
})

const UserMessages = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String(),
      acceptedAt: At,
      product: Type.Enum(['message', 'notification']),
      audience: Type.Enum(['users', 'public', 'query']),
      channel: Type.Optional(Type.String({ description: 'Unless it is the one that everybody is on.' })),
      text: Type.String(),
      trackId: Type.Optional(Type.String()),
      isWaiting: Type.Boolean({ description: 'Some of it is not sent yet.' }),
      deliveries: Type.Array(
        Type.Object({
          installationId: Type.String(),
          deviceType: Type.String(),
          state: Type.Enum(deliveryStates),
          reason: Type.Optional(Type.Enum(deliveryReasons)),
          provider: Type.Optional(Type.String()),
          updatedAt: At,
        }),
      ),
    }),
  ),
  cursor: Type.Optional(Type.String()),
})
export type UserMessages = Static<typeof UserMessages>

export const panelUserMessages = defineEndpoint({
  summary: 'The messages of a user and how far they came',
  description: 'Those to the user and those to groups that went to a device of the user, newest first.',
  group,
  params,
  query: Type.Object({ cursor: Type.Optional(Type.String()) }),
  answer: UserMessages,
  example: {
    params: { userId: 'sara' },
    answer: {
      data: [
        {
          id: messageId,
          acceptedAt: at,
          product: 'message',
          audience: 'users',
          text: 'Your order is on its way',
          isWaiting: false,
          deliveries: [{ installationId, deviceType: 'android', state: 'opened', provider: 'fcm', updatedAt: at }],
        },
      ],
    },
  },
})

export const panelUserEvents = defineEndpoint({
  ...events,
  summary: 'The events of a user, newest first',
  group,
  params: knownParams,
  example: { ...events.example, params: { userId: 'sara' } },
})

const UserCodes = Type.Object({
  data: Type.Array(
    Type.Object({
      code: Type.String(),
      messageId: Type.String(),
      givenAt: At,
      trackId: Type.Optional(Type.String({ description: 'Absent for a code of the global set.' })),
    }),
  ),
})
export type UserCodes = Static<typeof UserCodes>

export const panelUserCodes = defineEndpoint({
  summary: 'Promo codes that a user was given',
  description: 'The newest 200.',
  group,
  params,
  answer: UserCodes,
  example: {
    params: { userId: 'sara' },
    answer: { data: [{ code: 'SALE-7F3A', messageId, givenAt: at, trackId: 'sale' }] },
  },
})

export const panelAddTag = defineEndpoint({
  summary: 'Add a tag to a user, or change its value',
  group,
  params: knownParams,
  body: Type.Object({
    tag: Tag,
    value: Type.Optional(Type.String({ maxLength: 255, expected: 'a value of at most 255 characters' })),
  }),
  answer: Count,
  example: { params: { userId: 'sara' }, body: { tag: 'city', value: 'tehran' }, answer: { count: 1 } },
})

export const panelRemoveTag = defineEndpoint({
  summary: 'Remove a tag from a user',
  group,
  params: knownParams,
  body: Type.Object({ tag: Tag }),
  answer: Count,
  example: { params: { userId: 'sara' }, body: { tag: 'city' }, answer: { count: 1 } },
})

export const panelSetAttributes = defineEndpoint({
  summary: 'Change attributes of a user',
  description: 'What is `null` is removed.',
  group,
  params: knownParams,
  body: Type.Object({ attributes: JsonObject }),
  answer: Type.Object({ ...Count.properties, warnings: Type.Optional(Type.Array(Type.String())) }),
  example: { params: { userId: 'sara' }, body: { attributes: { age: 31 } }, answer: { count: 1 } },
})
