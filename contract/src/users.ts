import Type from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { JsonObject } from './schema/words.ts'

const group = 'Installations and users'

// Any text: who is not known is answered with 404.
const params = Type.Object({ userId: Type.String({ description: 'The user id.' }) })
const Removed = (what: string) => Type.Integer({ description: what })
const Rows = (description: string) => Type.Array(JsonObject, { description })

export const exportUser = defineEndpoint({
  summary: 'Export all data of a user',
  description:
    'One JSON object with all of it, device tokens included. Times are epoch milliseconds. Of messages to several users the other users are not named.',
  group,
  params,
  answer: Type.Object({
    user: Type.Object({
      userId: Type.String(),
      isGuest: Type.Optional(Type.Boolean()),
      createdAt: Type.Optional(
        Type.Integer({ description: 'Absent for users who were sent messages but never used the app.' }),
      ),
    }),
    tags: Rows('Tags, with `value` where they have one.'),
    attributes: JsonObject,
    preferences: Rows('Which categories the user wants or not, where they said so; `*` is all of them.'),
    installations: Rows('The installations, as `fetchById` answers them.'),
    pastTokens: Rows('Push tokens that the installations had: from when to when, and why no longer.'),
    uninstalls: Rows('When an app of the user was found removed.'),
    events: Rows('Events, oldest first.'),
    eventCounters: Rows('What is kept of events that are older than those above.'),
    messages: Rows('Messages to the user by name, and those to groups that went to an installation of the user.'),
    series: Rows('Messages that repeat and name the user.'),
    deliveries: Rows('What became of them, per installation.'),
    receipts: Rows('What the installations reported of them.'),
    promoCodes: Rows('Promo codes that the user was given.'),
    sms: Rows('SMS that stood in for messages, sent or not.'),
  }),
  example: {
    params: { userId: 'sara' },
    answer: {
      user: { userId: 'sara', isGuest: false, createdAt: 1_794_000_000_000 },
      tags: [{ tag: 'vip' }, { tag: 'city', value: 'tehran' }],
      attributes: { firstName: 'Sara', age: 31 },
      preferences: [{ category: 'news', isWanted: false, changedAt: 1_794_500_000_000 }],
      installations: [
        {
          id: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          userId: 'sara',
          deviceType: 'android',
          deviceToken: 'fcm-token',
          clientVersion: '2.4.1',
          launchCount: 12,
        },
      ],
      pastTokens: [
        {
          installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          givenAt: 1_794_000_000_000,
          endedAt: 1_794_300_000_000,
          reason: 'renewed',
        },
      ],
      uninstalls: [],
      events: [
        {
          id: '019a8b1c-5d2e-7c3f-8a4b-1f2e3d4c5b6a',
          installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          eventName: 'AddToCart',
          eventTime: 1_794_700_800_000,
          eventData: { sku: 'A-17' },
        },
      ],
      eventCounters: [
        {
          installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          event: 'addtocart',
          count: 1,
          firstTime: 1_794_700_800_000,
          lastTime: 1_794_700_800_000,
        },
      ],
      messages: [
        {
          id: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f',
          product: 'message',
          audience: 'users',
          createdAt: 1_794_701_000_000,
          expireAt: 1_797_293_000_000,
          count: 1,
          user: 'sara',
          channel: 'default',
          content: 'Your order is on its way.',
        },
      ],
      series: [],
      deliveries: [
        {
          messageId: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f',
          installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          state: 'opened',
          provider: 'fcm',
          updatedAt: 1_794_701_060_000,
        },
      ],
      receipts: [
        {
          messageId: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f',
          installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          kind: 'opened',
          time: 1_794_701_060_000,
        },
      ],
      promoCodes: [
        { code: 'SALE-7F3A', messageId: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f', givenAt: 1_794_701_000_000 },
      ],
      sms: [{ messageId: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f', state: 'cancelled', updatedAt: 1_794_701_060_000 }],
    },
  },
})

export const deleteUser = defineEndpoint({
  summary: 'Delete all data of a user',
  description:
    'All at once, and for good: the answer says how much of each kind was removed. Messages to the user alone go too; of messages to several, only this user. Promo codes that the user was given stay used, without saying by whom.',
  group,
  params,
  answer: Type.Object({
    userId: Type.String(),
    users: Removed('The user, and guests that are known from the same installations only.'),
    installations: Removed('Installations, with their push tokens.'),
    tags: Removed('Tags of the user.'),
    attributes: Removed('Attributes of the user and of the installations.'),
    uninstalls: Removed('Notes of removed apps.'),
    events: Removed('Events.'),
    messages: Removed('Messages to the user alone.'),
    deliveries: Removed('Deliveries to the installations.'),
    receipts: Removed('Receipts from the installations.'),
    promoCodes: Removed('Promo codes that are no longer linked to the user.'),
  }),
  example: {
    params: { userId: 'sara' },
    answer: {
      userId: 'sara',
      users: 1,
      installations: 2,
      tags: 3,
      attributes: 4,
      uninstalls: 0,
      events: 57,
      messages: 6,
      deliveries: 12,
      receipts: 9,
      promoCodes: 1,
    },
  },
})
