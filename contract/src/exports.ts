import Type from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { JsonObject, Moment } from './schema/words.ts'

const group = 'Data'

const format = Type.Optional(
  Type.Union([Type.Literal('csv'), Type.Literal('ndjson'), Type.Literal('parquet')], {
    expected: 'csv, ndjson or parquet',
    description:
      '`csv` by default. In CSV, objects are JSON within their cell, and no cell is taken for a formula. In Parquet, times are timestamps in UTC, and objects are JSON.',
  }),
)
const period = {
  from: Type.Optional(Moment),
  to: Type.Optional(Moment),
}
const inPeriod = 'By when they were stored: `from` is included, `to` is not; without them all that is kept.'
const optional = Type.Optional(Type.String())

export const exportUsers = defineEndpoint({
  summary: 'All users as a file',
  description:
    'A row for each user, with tags, attributes and devices. `npx peyk import` reads it. Push tokens are in it with `deviceTokens=true` only.',
  group,
  download: true,
  query: Type.Object({
    format,
    deviceTokens: Type.Optional(Type.Boolean({ expected: 'true or false' })),
  }),
  answer: Type.Object({
    userId: Type.String(),
    isGuest: Type.Boolean(),
    createdAt: Type.String({ description: 'ISO 8601.' }),
    tags: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'By tag its value, or null.' })),
    attributes: Type.Optional(JsonObject),
    installations: Type.Optional(Type.Array(JsonObject)),
  }),
  example: {
    query: { format: 'ndjson' },
    answer: {
      userId: 'sara',
      isGuest: false,
      createdAt: '2026-11-01T09:30:00.000Z',
      tags: { vip: null, city: 'tehran' },
      attributes: { firstName: 'Sara', age: 31 },
      installations: [{ id: '7c9e6679-7425-40de-944b-e07fc1f90ae7', deviceType: 'android' }],
    },
  },
})

export const exportEvents = defineEndpoint({
  summary: 'Events as a file',
  description: `A row for each event, oldest first. ${inPeriod}`,
  group,
  download: true,
  query: Type.Object({ format, ...period }),
  answer: Type.Object({
    time: Type.String({ description: 'When it came; ISO 8601.' }),
    id: Type.String(),
    eventName: Type.String(),
    eventTime: Type.String({ description: 'When it happened.' }),
    userId: Type.String(),
    installationId: optional,
    revenue: Type.Optional(Type.Number()),
    currency: optional,
    eventData: Type.Optional(JsonObject),
    influencedBy: Type.Optional(Type.String({ description: 'The id of the message that led to it.' })),
  }),
  example: {
    query: { from: '2026-11-01', to: '2026-12-01' },
    answer: {
      time: '2026-11-15T00:00:00.120Z',
      id: '019d9c3e-5a00-7d42-8c11-5e0a7b3f9d24',
      eventName: 'AddToCart',
      eventTime: '2026-11-15T00:00:00.000Z',
      userId: 'sara',
      eventData: { sku: 'A-17' },
    },
  },
})

export const exportDeliveries = defineEndpoint({
  summary: 'Deliveries as a file',
  description: `A row for each installation and message, by when they changed last. ${inPeriod} With \`messageId\` those of one message, in no order of time, with what still waits.`,
  group,
  download: true,
  query: Type.Object({
    format,
    ...period,
    messageId: Type.Optional(Type.String({ description: 'The id of a message.' })),
  }),
  answer: Type.Object({
    time: Type.String({ description: 'When it changed last; ISO 8601.' }),
    messageId: Type.String(),
    installationId: optional,
    userId: optional,
    state: Type.String(),
    reason: optional,
    provider: optional,
    detail: optional,
    language: optional,
    variant: optional,
    sentAt: optional,
  }),
  example: {
    query: { messageId: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f' },
    answer: {
      time: '2026-11-15T00:00:01.480Z',
      messageId: '019a8b1d-0a1b-7c2d-9e3f-4a5b6c7d8e9f',
      installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
      userId: 'sara',
      state: 'opened',
      provider: 'fcm',
      sentAt: '2026-11-15T00:00:00.100Z',
    },
  },
})
