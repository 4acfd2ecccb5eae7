import Type from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { Count, InstallationId, JsonObject, Name, UserId, warningFields } from './schema/words.ts'

const group = 'Attributes'
const exampleInstallationId = '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11'
const AttributesAnswer = Type.Object({
  ...Count.properties,
  ...warningFields(
    'Values of another type than the name’s first use: kept, but not in segments. Unknown fields: ignored.',
  ),
})

export const attributes = defineEndpoint({
  summary: 'Set attributes of a user or of one installation',
  description: 'An attribute that is `null` is removed. Values are texts, numbers, booleans, dates or arrays of texts.',
  group,
  section: '48-set-attributes',
  body: Type.Object({
    userId: Type.Optional(UserId),
    installationId: Type.Optional(InstallationId),
    attributes: JsonObject,
  }),
  answer: AttributesAnswer,
  example: {
    body: { userId: 'ali', attributes: { firstName: 'Ali', age: 30, joinedAt: '2026-03-01T09:30:00Z' } },
    answer: { count: 2 },
  },
})

export const userInfo = defineEndpoint({
  summary: 'Change attributes of the user of an installation',
  description:
    '`data` sets values. `__meta.keys` says what else to do with a name: `{"type":"date"}` (the value is epoch milliseconds), `{"operation":"unset"}`, or `{"type":"array","operation":"addToArray","value":["…"]}` and `removeFromArray`. A `phone` that the backend set is left as it is when a client key of an app that does not verify identities calls; `warnings` says so.',
  group,
  body: Type.Object({
    installationId: InstallationId,
    data: Type.Optional(Type.Unknown({ description: 'An object of names and values.' })),
    __meta: Type.Optional(Type.Unknown({ description: 'An object with `keys`.' })),
  }),
  answer: AttributesAnswer,
  example: {
    body: {
      installationId: exampleInstallationId,
      data: { firstName: 'Ali', birthday: 631152000000 },
      __meta: {
        keys: {
          birthday: { type: 'date' },
          nickname: { operation: 'unset' },
          sizes: { type: 'array', operation: 'addToArray', value: ['xl'] },
        },
      },
    },
    answer: { count: 2 },
  },
})

export const incrementAttribute = defineEndpoint({
  summary: 'Add to numbers among the attributes of the user of an installation',
  group,
  body: Type.Object({
    installationId: InstallationId,
    attributes: Type.Array(
      Type.Object({
        attribute: Name('the name of an attribute, 1 to 255 bytes'),
        value: Type.Optional(Type.Number({ default: 1 })),
      }),
      {
        minItems: 1,
        maxItems: 1_000,
        tooMany: 'attributes',
        expected: 'an array of at least one {attribute, value}',
      },
    ),
  }),
  answer: AttributesAnswer,
  example: {
    body: { installationId: exampleInstallationId, attributes: [{ attribute: 'score', value: 5 }] },
    answer: { count: 2 },
  },
})
