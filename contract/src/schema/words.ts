import Type from 'typebox'

/** Text in the C sense of the store: names are limited in bytes, because indexes are. */
export const Name = (expected: string) =>
  Type.Refine(
    Type.String({ minLength: 1, expected, maxLength: 255 }),
    (value) => value.length * 3 <= 255 || new TextEncoder().encode(value).length <= 255,
    () => 'must not be longer than 255 bytes',
  )

/** [requests.md#user-ids] */
export const UserId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\s\\u0000/\\\\+*#]+$',
  expected: 'a user id of 1 to 64 characters without white space and without / \\ + * #',
})

export const InstallationId = Type.String({ minLength: 1, maxLength: 255, expected: 'an installation id' })

export const Tag = Name('a tag of 1 to 255 bytes')

export const JsonObject = Type.Record(Type.String(), Type.Unknown(), { expected: 'a JSON object' })

export const Moment = Type.Union([Type.Number(), Type.String()], { expected: 'epoch milliseconds or an ISO 8601 date' })

export const Count = Type.Object({ count: Type.Integer({ description: 'Devices updated.' }) })

const UnknownFields = Type.Optional(
  Type.Array(
    Type.Object({
      field: Type.String({ description: 'Path of the field, such as `notification.titel`.' }),
      didYouMean: Type.Optional(Type.String({ description: 'The nearest field that the endpoint knows.' })),
    }),
    { description: 'Fields and query parameters that the endpoint does not know. They were ignored.' },
  ),
)

/** Response fields for a request that succeeded although parts of it were ignored. */
export const warningFields = (description = 'Fields that were ignored because the endpoint does not know them.') => ({
  warnings: Type.Optional(Type.Array(Type.String(), { description })),
  unknownFields: UnknownFields,
})

export const ErrorAnswer = Type.Object({
  error: Type.Object({
    name: Type.String(),
    status: Type.Integer(),
    message: Type.String(),
    code: Type.String(),
    requestId: Type.String(),
    details: Type.Optional(JsonObject),
  }),
})
