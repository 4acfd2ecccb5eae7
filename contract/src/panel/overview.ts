import Type, { type Static } from 'typebox'
import { deliveryStates, noneOf, troubleReasons } from '../delivery-words.ts'
import { Stall } from '../messages.ts'
import { Alert } from '../operations/alerts.ts'
import { defineEndpoint } from '../schema/endpoint.ts'
import { MessageLine } from './messages.ts'

const group = 'Panel'

export const dayPlatforms = ['android', 'ios', 'web', 'other'] as const
export type DayPlatform = (typeof dayPlatforms)[number]

export const dayMeasures = [
  'installs',
  'visits',
  'activeInstallations',
  'activeUsers',
  'uninstalls',
  'churned',
  'sent',
  'delivered',
  'shown',
  'opened',
] as const
export type DayMeasure = (typeof dayMeasures)[number]

/** How many days a page looks at. */
export const Days = Type.Optional(
  Type.Union([Type.Literal(7), Type.Literal(30), Type.Literal(90)], {
    expected: '7, 30 or 90',
    description: '30 unless given. Days are UTC days, today among them.',
  }),
)

export const Revenue = Type.Object({
  currency: Type.String({ description: 'In upper case; empty where none was named.' }),
  amounts: Type.Array(Type.Number(), { description: 'One per day.' }),
  earlier: Type.Array(Type.Number(), { description: 'The same of as many days before, whole days.' }),
  total: Type.Number(),
  before: Type.Number({
    description: 'Of as many days before. The last of them counts by the share of today that has passed.',
  }),
})
export type Revenue = Static<typeof Revenue>

const measuresOf = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Object(Object.fromEntries(dayMeasures.map((name) => [name, schema])) as Record<DayMeasure, Schema>)
const platformsOf = <Schema extends Type.TSchema>(schema: Schema) =>
  Type.Object(Object.fromEntries(dayPlatforms.map((name) => [name, schema])) as Record<DayPlatform, Schema>)

const Warning = Type.Union([
  Type.Object({
    kind: Type.Literal('provider-paused'),
    provider: Type.String(),
    reason: Type.String(),
    at: Type.Integer({ description: 'Epoch milliseconds.' }),
  }),
  Type.Object({
    kind: Type.Literal('provider-failing'),
    ...Stall.properties,
    reason: Type.Enum(troubleReasons),
  }),
  Type.Object({
    kind: Type.Literal('credentials-refused'),
    provider: Type.String(),
    at: Type.Integer({ description: 'When they were checked. Epoch milliseconds.' }),
  }),
  Type.Object({
    kind: Type.Literal('credentials-missing'),
    provider: Type.String({ description: 'Devices have registered tokens of it, and the app has no credentials.' }),
  }),
  Type.Object({
    kind: Type.Literal('webhook-failing'),
    webhookId: Type.String(),
    host: Type.String(),
    since: Type.Integer({ description: 'Epoch milliseconds.' }),
    waiting: Type.Integer({ description: 'Calls that wait to be tried again.' }),
  }),
  Type.Object({
    kind: Type.Literal('uninstalls-held'),
    provider: Type.String(),
    count: Type.Integer(),
    at: Type.Integer({ description: 'Epoch milliseconds.' }),
  }),
  Type.Object({
    kind: Type.Literal('promo-low'),
    trackId: Type.String({ description: 'Empty: the global set.' }),
    left: Type.Integer(),
    codes: Type.Integer(),
  }),
  Type.Object({
    kind: Type.Literal('approvals'),
    count: Type.Integer({ description: 'Sends that wait for the approval of the member who reads this.' }),
  }),
  Type.Object({ kind: Type.Literal('alert'), alert: Alert }),
])
export type Warning = Static<typeof Warning>

const Overview = Type.Object({
  at: Type.Integer({ description: 'When every number here was counted. Epoch milliseconds.' }),
  days: Type.Array(Type.String({ description: 'YYYY-MM-DD' }), { description: 'The oldest first; the last is today.' }),
  platforms: platformsOf(measuresOf(Type.Array(Type.Integer()))),
  earlier: Type.Object(platformsOf(measuresOf(Type.Array(Type.Integer()))).properties, {
    description: 'The same of as many days before, whole days.',
  }),
  before: Type.Object(platformsOf(measuresOf(Type.Integer())).properties, {
    description:
      'Totals of as many days before. The last of them counts by the share of today that has passed; in what is counted once a day (`activeUsers`, `activeInstallations`) it is left out, to be compared with the days that are over.',
  }),
  revenue: Type.Array(Revenue),
  connected: Type.Integer({ description: 'Installations whose connection is open now.' }),
  sending: Type.Array(MessageLine, { description: 'Messages to groups that are under way, newest first.' }),
  warnings: Type.Array(Warning),
})
export type Overview = Static<typeof Overview>

const none = Object.fromEntries(dayMeasures.map((name) => [name, [0, 0, 0, 0, 0, 0, 0]]))
const noneBefore = Object.fromEntries(dayMeasures.map((name) => [name, 0]))

export const panelOverview = defineEndpoint({
  summary: 'How the app does: counts per day and platform, what is being sent, what needs a person',
  group,
  query: Type.Object({ days: Days }),
  answer: Overview,
  example: {
    query: { days: '7' },
    answer: {
      at: 1_794_830_400_000,
      days: ['2026-11-09', '2026-11-10', '2026-11-11', '2026-11-12', '2026-11-13', '2026-11-14', '2026-11-15'],
      platforms: {
        android: { ...none, installs: [12, 9, 14, 11, 8, 17, 5], visits: [310, 295, 340, 322, 301, 390, 122] },
        ios: none,
        web: none,
        other: none,
      },
      earlier: {
        android: { ...none, installs: [11, 10, 9, 12, 8, 14, 9], visits: [280, 301, 275, 290, 288, 341, 300] },
        ios: none,
        web: none,
        other: none,
      },
      before: {
        android: { ...noneBefore, installs: 70, visits: 2010 },
        ios: noneBefore,
        web: noneBefore,
        other: noneBefore,
      },
      revenue: [
        {
          currency: 'EUR',
          amounts: [120, 99.5, 0, 240, 89.9, 310, 42],
          earlier: [80, 120, 95, 140, 160, 240, 90],
          total: 901.4,
          before: 870,
        },
      ],
      connected: 41,
      sending: [
        {
          id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
          product: 'message',
          audience: 'query',
          createdAt: 1_794_787_200_000,
          count: 250_000,
          channel: 'default',
          trackId: 'spring-sale',
          title: 'The sale has started',
          states: { ...noneOf(deliveryStates), queued: 158_800, sent: 91_200 },
          progress: { total: 250_000, settled: 91_200, waiting: 158_800, ratePerSecond: 8200, etaSeconds: 20 },
        },
      ],
      warnings: [{ kind: 'promo-low', trackId: 'spring-sale', left: 41, codes: 1000 }],
    },
  },
})
