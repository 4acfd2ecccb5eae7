import Type, { type Static } from 'typebox'

const RepeatRule = Type.String({
  minLength: 1,
  maxLength: 500,
  expected: 'a rule of RFC 5545 of at most 500 characters, such as "FREQ=WEEKLY;BYDAY=MO,TH"',
  description:
    'A recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=MO,TH`: hourly at most, with `COUNT` or `UNTIL` in it or beside it.',
})

const Zone = Type.String({
  minLength: 1,
  maxLength: 64,
  expected: 'the name of a time zone, such as "Asia/Tehran"',
  description:
    'The time zone whose clock and calendar the rule is about, such as `Asia/Tehran`; the app’s own unless given. Where `sendAt` is a local time: that of users of whom none is known.',
})

const LastMoment = Type.Union([Type.Integer(), Type.String()], {
  expected: 'epoch milliseconds, or a date and time with its offset, such as "2027-03-01T00:00+03:30"',
  description: 'Nothing of it goes after this moment: epoch milliseconds, or ISO 8601 with an offset.',
})

/** A message that goes again and again. */
export const Repeat = Type.Object(
  {
    rule: RepeatRule,
    zone: Type.Optional(Zone),
    until: Type.Optional(LastMoment),
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100_000,
        expected: 'a whole number from 1 to 100000',
        description: 'How often it happens in all, those that are skipped included. Not together with `until`.',
      }),
    ),
  },
  {
    expected: 'an object with a "rule"',
    description:
      'Sends the message again and again, as a series. The rule starts at `sendAt`, or now; a start that does not fit the rule does not go.',
  },
)
export type Repeat = Static<typeof Repeat>
