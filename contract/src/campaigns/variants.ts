import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Contents, LanguageTexts } from '../schema/language-texts.ts'

/** What those of the message’s own control group are counted under. */
export const controlName = 'control'

const spanPattern = '^[1-9][0-9]{0,6}[smhd]$'
const spanUnits: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Of a span such as "4h". */
export function spanMs(span: string): number {
  return Number.parseInt(span, 10) * (spanUnits[span.slice(-1)] ?? 0)
}

const Share = (description: string) =>
  Type.Number({
    exclusiveMinimum: 0,
    maximum: 100,
    expected: 'a percentage above 0 and up to 100',
    description,
  })

/** [ADR-0192] One of the wordings that are compared. */
export const Variant = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9][A-Za-z0-9_-]{0,19}$',
      expected: 'a name of 1 to 20 letters, digits, "-" and "_"',
      description: 'What it is called in the results. `control` and `default` are taken.',
    }),
    share: Type.Optional(
      Share(
        'Percent of those who are not in control. All of them add up to 100; where none is given they are divided evenly.',
      ),
    ),
    ...LanguageTexts.properties,
    contents: Type.Optional(Contents),
  },
  { expected: 'a variant such as {"name": "A", "share": 50, "content": "…"}' },
)
export type Variant = Static<typeof Variant>

/** What decides which of the variants the others get. */
export const Winner = Type.Object(
  {
    by: Type.String({
      pattern: '^(opened|acted|event:[^\\s].{0,254})$',
      expected: '"opened", "acted" or "event:" and the name of an event',
      description: 'What counts: `opened`, `acted`, or an event of the user, such as `event:Purchase`.',
    }),
    after: Type.String({
      pattern: spanPattern,
      expected: 'a span such as "90s", "30m", "4h" or "1d"',
      description: 'How long after the last hand-over of the test it is decided; less than the `ttl`.',
    }),
    testShare: Type.Integer({
      minimum: 1,
      maximum: 90,
      expected: 'a whole percentage from 1 to 90',
      description: 'Percent of the users who get the test. The others wait for the winner.',
    }),
    otherwise: Type.Optional(
      Type.String({
        expected: 'the name of a variant',
        description:
          'The variant that the others get when there is no winner: on a tie, and with fewer than 100 users of a variant. The first one unless given.',
      }),
    ),
  },
  { expected: 'an object such as {"by": "opened", "after": "4h", "testShare": 20, "otherwise": "A"}' },
)
export type Winner = Static<typeof Winner>

export const Goal = Type.Object(
  {
    event: Type.String({
      minLength: 1,
      maxLength: 255,
      expected: 'the name of an event',
      description: 'An event of the user, on any of their devices.',
    }),
    within: Type.Optional(
      Type.String({
        pattern: spanPattern,
        expected: 'a span such as "90s", "30m", "12h" or "7d"',
        description: 'How soon after the user was assigned; 12 hours unless given, 30 days at most.',
      }),
    ),
  },
  { expected: 'an object such as {"event": "Purchase", "within": "2d"}' },
)
export type Goal = Static<typeof Goal>

/** The fields of a send that make it a test. */
export const testFields = {
  variants: Type.Optional(
    Type.Array(Variant, {
      expected: 'an array of 2 to 5 variants',
      description:
        'From 2 to 5 wordings that are compared. Each has texts nested as in the message, and may have `contents` of its own; whatever it leaves out is as in the message. Which one a user gets depends on the message and the user alone: it is the same on all of their devices.',
    }),
  ),
  control: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 90,
      expected: 'a percentage from 0 to 90',
      description:
        'Percent of the users who get nothing, to compare with. It holds whatever the category, also of a message without variants; such deliveries end as `control`.',
    }),
  ),
  winner: Type.Optional(Winner),
  goal: Type.Optional(Goal),
}

const users = (description: string) => Type.Integer({ description })

const Rate = Type.Object({
  of: users('Users.'),
  reached: users('Those of them who did it.'),
  rate: Type.Number({ description: 'From 0 to 1.' }),
  from: Type.Number({ description: 'Where the interval of 95 % begins (Wilson).' }),
  to: Type.Number({ description: 'Where it ends.' }),
})

const Lift = Type.Object({
  lift: Type.Number({
    description: 'By how much the rate is higher than that of control, as a share of it: 0.2 is 20 %.',
  }),
  from: Type.Number({ description: 'Where the interval of 95 % begins (Katz).' }),
  to: Type.Number({ description: 'Where it ends.' }),
})

const counts = {
  assigned: users('All who were given this variant, also those whom nothing reached.'),
  handedOver: users('Given to a provider, written to the connection, or put into the inbox.'),
  shown: users('Shown on one of their devices at least.'),
  opened: users('Opened, or acted on.'),
  acted: users('Took an action.'),
  dismissed: users('Dismissed it on every device on which they did anything with it.'),
}

const VariantResult = Type.Object({
  name: Type.String(),
  share: Type.Number({ description: 'Percent of those who are not in control.' }),
  ...counts,
  rate: Type.Object(Rate.properties, {
    description: 'Of `by`: among those it was handed over to; where `by` is an event, among all who were assigned.',
  }),
  chanceOfBest: Type.Optional(
    Type.Number({ description: 'How probable it is that its rate is the highest, from 0 to 1. Absent with too few.' }),
  ),
  goal: Type.Optional(Type.Object(Rate.properties, { description: 'Of the goal, among all who were assigned.' })),
  lift: Type.Optional(Type.Object(Lift.properties, { description: 'Of the goal, over control.' })),
  liftMissing: Type.Optional(
    Type.Enum(['notEnoughData', 'noEvents'], {
      description:
        'Why there is no lift although there are a control and a goal: fewer than `leastUsers` in one of the two, or nobody reached the goal in one of them.',
    }),
  ),
})

export const winnerStates = ['testing', 'waiting', 'decided', 'off'] as const
export const winnerReasons = ['best', 'tie', 'notEnoughData'] as const

/** `GET /api/messages/{id}/variants` and, in the panel, `/messages/{id}/variants`. */
export const messageVariants = defineEndpoint({
  summary: 'Compare the variants of a message',
  description:
    'All numbers are users, not installations: who has three devices counts once. With a `winner` the variants are those of the test alone. Rates have an interval of 95 %; with fewer than `leastUsers` in a variant nothing is said about which is better. A message without `variants` and `control` has none of this: 404.',
  group: 'Messages',
  params: Type.Object({ id: Type.String({ description: 'The id that the send answered.' }) }),
  answer: Type.Object({
    id: Type.String(),
    countedAt: Type.Integer({
      description:
        'When the users were counted, in epoch milliseconds. For a message to 20,000 recipients or more, a count may be reused for a minute or more.',
    }),
    by: Type.String({
      description: 'What is compared: that of the `winner`, else the goal as `event:…`, else `opened`.',
    }),
    leastUsers: Type.Integer({ description: 'So many each variant needs.' }),
    notEnoughData: Type.Boolean({ description: 'A variant has fewer.' }),
    goal: Type.Optional(Type.Required(Goal)),
    variants: Type.Array(VariantResult, {
      description: 'In the order of the message. One without `variants` has one, named `default`.',
    }),
    control: Type.Optional(
      Type.Object({
        share: Type.Number({ description: 'Percent of the users.' }),
        assigned: users('Users who got nothing.'),
        goal: Type.Optional(Rate),
      }),
    ),
    winner: Type.Optional(
      Type.Object({
        ...Type.Required(Winner).properties,
        state: Type.Enum(winnerStates, {
          description:
            '`testing`: the test is being handed over; `waiting`: for `decideAt`; `decided`; `off`: the message was cancelled or expired before.',
        }),
        decideAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds; once the test was handed over.' })),
        decidedAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
        variant: Type.Optional(Type.String({ description: 'What the others get.' })),
        why: Type.Optional(
          Type.Enum(winnerReasons, { description: 'It is the best one, or `otherwise`: on a tie, or with too few.' }),
        ),
        others: Type.Object(
          {
            assigned: counts.assigned,
            handedOver: counts.handedOver,
            opened: counts.opened,
            acted: counts.acted,
          },
          { description: 'Those who were not in the test and have got the winner.' },
        ),
      }),
    ),
  }),
  example: {
    params: { id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10' },
    answer: {
      id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
      countedAt: 1_794_787_200_000,
      by: 'opened',
      leastUsers: 100,
      notEnoughData: false,
      goal: { event: 'Purchase', within: '12h' },
      variants: [
        {
          name: 'A',
          share: 50,
          assigned: 1040,
          handedOver: 1000,
          shown: 930,
          opened: 80,
          acted: 12,
          dismissed: 201,
          rate: { of: 1000, reached: 80, rate: 0.08, from: 0.0647, to: 0.0985 },
          chanceOfBest: 0.0076,
          goal: { of: 1040, reached: 31, rate: 0.0298, from: 0.0211, to: 0.042 },
          lift: { lift: 0.2274, from: -0.2585, to: 1.032 },
        },
        {
          name: 'B',
          share: 50,
          assigned: 1035,
          handedOver: 1000,
          shown: 928,
          opened: 112,
          acted: 20,
          dismissed: 188,
          rate: { of: 1000, reached: 112, rate: 0.112, from: 0.0939, to: 0.1331 },
          chanceOfBest: 0.9924,
          goal: { of: 1035, reached: 48, rate: 0.0464, from: 0.0352, to: 0.061 },
          lift: { lift: 0.9097, from: 0.2074, to: 2.0205 },
        },
      ],
      control: {
        share: 10,
        assigned: 1153,
        goal: { of: 1153, reached: 28, rate: 0.0243, from: 0.0169, to: 0.0349 },
      },
      winner: {
        by: 'opened',
        after: '4h',
        testShare: 20,
        otherwise: 'A',
        state: 'decided',
        decideAt: 1_794_715_212_000,
        decidedAt: 1_794_715_212_400,
        variant: 'B',
        why: 'best',
        others: { assigned: 8301, handedOver: 8008, opened: 870, acted: 160 },
      },
    },
  },
})
