import Type, { type Static } from 'typebox'

const Value = Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
  expected: 'a text, a number, true or false',
})

export type Values = Record<string, Static<typeof Value>>

/** What a send gives the texts that ask for `values.name`. PHP writes an empty object as an empty array. */
export const Values = Type.Unsafe<Values>(
  Type.Union([Type.Record(Type.String(), Value), Type.Array(Type.Unknown(), { maxItems: 0 })], {
    expected: 'an object of values, such as {"orderId": "A-1024"}',
    description:
      'What the texts ask for as `{{ values.name }}`, the same for all recipients: texts, numbers, `true` or `false`, at most 50 and 8 KiB. A name begins with a letter and goes on with letters, digits, `_` and `-`. A value that a text asks for without a fallback must be given. The message keeps the texts with their values.',
  }),
)

export const WantedValue = Type.Object({
  name: Type.String({ description: 'What a send gives in `values`.' }),
  required: Type.Boolean({
    description: 'Whether a send without it is refused: a text asks for it without a fallback.',
  }),
  fallback: Type.Optional(Type.String({ description: 'What stands in its place, where a text says so.' })),
})
export type WantedValue = Static<typeof WantedValue>
