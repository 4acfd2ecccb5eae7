import Type from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { InstallationId, JsonObject, Moment, Name, UserId, warningFields } from './schema/words.ts'

const group = 'Events'
const maxEvents = 1_000

// PHP writes an empty object as an empty array.
const EventData = Type.Union([JsonObject, Type.Array(Type.Unknown(), { maxItems: 0 })], {
  expected: 'an object of texts, numbers, booleans, dates and arrays of texts',
  description:
    'Values are texts, numbers, booleans, dates (ISO 8601 or RFC 1123) or arrays of texts; `null` is left out. A value keeps the type of its first use per event and name.',
})

const subject = {
  userId: Type.Optional(UserId),
  installationId: Type.Optional(InstallationId),
}
const eventName = Name('an event name of 1 to 255 bytes')
const details = {
  eventTime: Type.Optional(Moment),
  eventData: Type.Optional(EventData),
}
const Revenue = Type.Number({
  expected: 'a number',
  description: 'May be negative: a refund.',
})
const currency = Type.Optional(Type.String({ maxLength: 64, expected: 'a currency such as "USD"' }))

const warnings = warningFields(
  'Values that were stored, but not as they may have been meant, such as a time in seconds. Unknown fields, which were ignored.',
)
const Tracked = Type.Object({
  queued: Type.Literal(true),
  n: Type.Integer({ description: 'Events stored.' }),
  id: Type.String({ description: 'The event’s id.' }),
  ...warnings,
})

const eventId = '019d9c3e-5a00-7d42-8c11-5e0a7b3f9d24'
const installationId = '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11'

export const track = defineEndpoint({
  summary: 'Track an event',
  description:
    'By `userId` it is stored with the last device that the user logged in with, by `installationId` with that device. Without `eventTime` it happened now.',
  group,
  section: '45-track-an-event',
  body: Type.Object({ ...subject, eventName, ...details }),
  answer: Tracked,
  example: {
    body: { userId: 'sara', eventName: 'AddToCart', eventData: { sku: 'A-17', value: 12.5, tags: ['new', 'sale'] } },
    answer: { queued: true, n: 1, id: eventId },
  },
})

export const trackPurchase = defineEndpoint({
  summary: 'Track a purchase event',
  description: 'An event with `revenue`. It counts under its own name and under `purchase`.',
  group,
  section: '46-track-a-purchase',
  body: Type.Object({ ...subject, eventName, revenue: Revenue, currency, ...details }),
  answer: Tracked,
  example: {
    body: { userId: 'sara', eventName: 'BoughtTicket', revenue: 49.9, currency: 'EUR', eventData: { seats: 2 } },
    answer: { queued: true, n: 1, id: eventId },
  },
})

export const trackRevenue = defineEndpoint({
  summary: 'Track revenue',
  description: 'Stores a revenue event named `Purchase`; an `eventName` is ignored.',
  group,
  section: '47-track-revenue',
  body: Type.Object({
    ...subject,
    eventName: Type.Optional(Type.Unknown({ description: 'Ignored: the event is named `Purchase`.' })),
    revenue: Revenue,
    currency,
    ...details,
  }),
  answer: Tracked,
  example: {
    body: { installationId, revenue: 120_000, currency: 'IRR', eventTime: 1_794_700_800_000 },
    answer: { queued: true, n: 1, id: eventId },
  },
})

export const trackBulk = defineEndpoint({
  summary: 'Track many events',
  description:
    'An array of up to 1,000 events of the three kinds: one with `revenue` is a revenue event, named `Purchase` when it has no `eventName`. An invalid element fails the whole array.',
  group,
  body: Type.Object({
    ...subject,
    eventName: Type.Optional(eventName),
    revenue: Type.Optional(Revenue),
    currency,
    ...details,
  }),
  maxBodies: maxEvents,
  onlyBodies: true,
  answer: Type.Object({
    queued: Type.Literal(true),
    n: Type.Integer({ description: 'Events stored.' }),
    ...warnings,
  }),
  example: {
    body: [
      { userId: 'sara', eventName: 'AddToCart', eventData: { sku: 'A-17' } },
      { userId: 'omid', eventName: 'BoughtTicket', revenue: 49.9, currency: 'EUR' },
    ],
    answer: { queued: true, n: 2 },
  },
})

export const Event = Type.Object({
  id: Type.String(),
  userId: Type.String(),
  installationId: Type.Optional(Type.String({ description: 'Absent while the user has no device.' })),
  eventName: Type.String(),
  eventTime: Type.Integer({ description: 'Epoch milliseconds.' }),
  eventData: Type.Optional(JsonObject),
  revenue: Type.Optional(Type.Number()),
  currency: Type.Optional(Type.String()),
  influence: Type.Optional(
    Type.Object(
      { messageId: Type.String(), direct: Type.Boolean() },
      { description: 'The message that the device had shown or opened before.' },
    ),
  ),
})

export const events = defineEndpoint({
  summary: 'Read events, newest first',
  description:
    'All filters may be combined. Event names are compared without regard to case. `from` is included, `to` is not.',
  group,
  query: Type.Object({
    userId: Type.Optional(UserId),
    installationId: Type.Optional(InstallationId),
    eventName: Type.Optional(Type.String()),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        expected: 'a whole number from 1 to 1000',
        description: '100 by default.',
      }),
    ),
  }),
  answer: Type.Object({
    data: Type.Array(Event),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: {
    query: { userId: 'sara', eventName: 'AddToCart' },
    answer: {
      data: [
        {
          id: eventId,
          userId: 'sara',
          installationId,
          eventName: 'AddToCart',
          eventTime: 1_794_700_800_000,
          eventData: { sku: 'A-17', value: 12.5 },
        },
      ],
    },
  },
})

export const clientEvents = defineEndpoint({
  summary: 'Report events and notification receipts of a device',
  description:
    'What the client library sends. Elements of `type` 2 are events, of `type` 1 receipts (`SHOWN`, `OPENED`, `ACTION_TAKEN`, `DISMISSED`, `DELIVERED`). A repeated element is stored once; one that cannot be read, or that is about a message which did not go to this device, is skipped.',
  group,
  body: Type.Object({
    installationId: InstallationId,
    userId: Type.Optional(Type.Unknown({ description: 'Not needed: the installation says whose it is.' })),
    deviceType: Type.Optional(Type.Unknown()),
    sessionId: Type.Optional(Type.Unknown()),
    createdAt: Type.Optional(
      Type.Unknown({ description: 'When the batch was made; events without a time have this.' }),
    ),
    eventData: Type.Array(Type.Unknown(), { expected: 'an array of events and receipts' }),
  }),
  answer: Type.Object({
    queued: Type.Literal(true),
    n: Type.Integer({ description: 'Elements that are stored, now or by an earlier request.' }),
    skipped: Type.Integer({ description: 'Elements that were left out.' }),
    ...warnings,
  }),
  example: {
    body: {
      userId: 'sara',
      installationId,
      deviceType: 'web',
      sessionId: 'f2b1',
      createdAt: 1_794_700_800_000,
      eventData: [
        {
          type: 2,
          data: { id: 'e-1', eventName: 'OpenedPage', createdAt: 1_794_700_799_000, data: { page: '/offers' } },
        },
        {
          type: 1,
          actionType: 'OPENED',
          msgId: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
          trackId: 'come-back',
          actionTs: 1_794_700_798_000,
        },
      ],
    },
    answer: { queued: true, n: 2, skipped: 0 },
  },
})
