import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'

const group = 'The app'

const Stored = Type.Object({
  rows: Type.Integer(),
  bytes: Type.Optional(
    Type.Integer({
      description: 'With indexes, estimated from the average row of all apps. Absent while that is not known.',
    }),
  ),
})

const used = {
  messages: Type.Integer({ description: 'Sends that were accepted, and scheduled ones that went.' }),
  deliveries: Type.Integer({ description: 'Installations that these went to: a send to 1,000 devices counts 1,000.' }),
  sent: Type.Integer({ description: 'Deliveries that a provider or the live connection took.' }),
  events: Type.Integer({ description: 'Events that were stored, by when they came.' }),
  sms: Type.Integer(),
  newInstallations: Type.Integer(),
  activeInstallations: Type.Integer({
    description: 'Installations that were opened: on the day; of a month, at least once in it.',
  }),
  peakConnections: Type.Integer({ description: 'The most live connections at one time, looked at once a minute.' }),
}

const UsedQuota = Type.Object({
  quota: Type.Union(
    [
      Type.Literal('messages'),
      Type.Literal('deliveries'),
      Type.Literal('events'),
      Type.Literal('sms'),
      Type.Literal('installations'),
    ],
    { description: 'What it bounds: per month, but for `installations`, which is how many there may be.' },
  ),
  limit: Type.Integer(),
  used: Type.Integer(),
  left: Type.Integer(),
  resetsAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds: the end of the month, in UTC.' })),
})
export type UsedQuota = Static<typeof UsedQuota>

export const Usage = Type.Object({
  month: Type.String(),
  total: Type.Object(used),
  installations: Type.Integer({ description: 'Installations there are, as they were last counted.' }),
  providers: Type.Object(
    {
      counted: Type.Integer({ description: 'How many days of the month were counted.' }),
      deliveries: Type.Record(Type.String(), Type.Integer()),
    },
    {
      description:
        'Deliveries by provider, of the days on which their messages were accepted. A day is counted six hours after its end.',
    },
  ),
  storage: Type.Object(
    { installations: Stored, events: Stored, deliveries: Stored, images: Stored },
    { description: 'What is stored now, whichever month is asked for.' },
  ),
  quotas: Type.Array(UsedQuota, {
    description: 'Set by whoever runs the service; of this month, whichever is asked for.',
  }),
  days: Type.Array(Type.Object({ day: Type.String(), ...used })),
})
export type Usage = Static<typeof Usage>

const counts = {
  messages: 4_120,
  deliveries: 96_400,
  sent: 95_010,
  events: 310_500,
  sms: 84,
  newInstallations: 730,
  activeInstallations: 9_450,
  peakConnections: 1_210,
}

export const getUsage = defineEndpoint({
  summary: 'See what the app uses',
  description:
    'By day of a month, in UTC, and against the quotas of the app. What was just used is in it after some seconds.',
  group,
  query: Type.Object({
    month: Type.Optional(
      Type.String({
        pattern: '^20\\d\\d-(0[1-9]|1[0-2])$',
        expected: 'a month such as "2026-11"',
        description: 'This month unless given.',
      }),
    ),
  }),
  answer: Usage,
  example: {
    query: { month: '2026-11' },
    answer: {
      month: '2026-11',
      total: counts,
      installations: 12_030,
      providers: { counted: 16, deliveries: { fcm: 61_000, apns: 20_400, webpush: 8_900 } },
      storage: {
        installations: { rows: 12_030, bytes: 7_340_032 },
        events: { rows: 2_904_100, bytes: 905_969_664 },
        deliveries: { rows: 288_700, bytes: 71_303_168 },
        images: { rows: 12, bytes: 1_310_720 },
      },
      quotas: [{ quota: 'messages', limit: 1_000_000, used: 4_120, left: 995_880, resetsAt: 1_796_083_200_000 }],
      days: [{ day: '2026-11-01', ...counts, messages: 210, activeInstallations: 2_900 }],
    },
  },
})
