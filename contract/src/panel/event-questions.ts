import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Days, Revenue } from './overview.ts'

const group = 'Panel'

const EventNames = Type.Object({
  days: Type.Array(Type.String(), { description: 'YYYY-MM-DD, the oldest first; the last is today.' }),
  data: Type.Array(
    Type.Object({
      name: Type.String(),
      counts: Type.Array(Type.Integer(), { description: 'One per day.' }),
      total: Type.Integer(),
      before: Type.Integer({
        description: 'Of as many days before. The last of them counts by the share of today that has passed.',
      }),
      hasRevenue: Type.Boolean(),
    }),
    { description: 'The most frequent first.' },
  ),
  isCut: Type.Boolean({ description: 'There are more names than are listed.' }),
})
export type EventNames = Static<typeof EventNames>

export const panelEventNames = defineEndpoint({
  summary: 'The names of events, with their counts of the last 14 days',
  group,
  query: Type.Object({
    search: Type.Optional(Type.String({ maxLength: 255, description: 'Part of the name, in any case.' })),
  }),
  answer: EventNames,
  example: {
    query: { search: 'cart' },
    answer: {
      days: ['2026-11-14', '2026-11-15'],
      data: [{ name: 'AddToCart', counts: [120, 61], total: 181, before: 203, hasRevenue: false }],
      isCut: false,
    },
  },
})

const EventDetail = Type.Object({
  name: Type.String(),
  days: Type.Array(Type.String()),
  counts: Type.Array(Type.Integer(), { description: 'One per day.' }),
  earlier: Type.Array(Type.Integer(), { description: 'The same of as many days before, whole days.' }),
  total: Type.Integer(),
  before: Type.Integer({
    description: 'Of as many days before. The last of them counts by the share of today that has passed.',
  }),
  revenue: Type.Array(Revenue),
  looked: Type.Integer({ description: 'So many of the latest events were looked at for the values.' }),
  values: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String({ description: '`text`, `number`, `boolean`, `date` or `list`, of its first use.' }),
      seen: Type.Integer({ description: 'In so many of the events looked at.' }),
      top: Type.Array(Type.Object({ value: Type.String(), count: Type.Integer() }), {
        description: 'The most frequent values.',
      }),
      numbers: Type.Optional(Type.Object({ min: Type.Number(), average: Type.Number(), max: Type.Number() })),
    }),
  ),
})
export type EventDetail = Static<typeof EventDetail>

export const panelEvent = defineEndpoint({
  summary: 'One event: its counts and revenue per day, and the values it brings',
  group,
  query: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 255, expected: 'the name of an event' }),
    days: Days,
  }),
  answer: EventDetail,
  example: {
    query: { name: 'Order', days: '7' },
    answer: {
      name: 'Order',
      days: ['2026-11-14', '2026-11-15'],
      counts: [9, 4],
      earlier: [7, 8],
      total: 13,
      before: 11,
      revenue: [{ currency: 'EUR', amounts: [410.5, 120], earlier: [300, 360], total: 530.5, before: 480 }],
      looked: 500,
      values: [
        { name: 'item', kind: 'text', seen: 500, top: [{ value: 'yoga mat', count: 71 }] },
        {
          name: 'quantity',
          kind: 'number',
          seen: 500,
          top: [{ value: '1', count: 430 }],
          numbers: { min: 1, average: 1.2, max: 3 },
        },
      ],
    },
  },
})
