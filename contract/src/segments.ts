import Type, { type Static } from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { Name } from './schema/words.ts'

const group = 'Segments'

const operatorTable = `
| name | is | operators |
|---|---|---|
| \`installDate\` | first visit | \`before after equal_to not_equal lesser_than lesser_equals greater_than greater_equals\` |
| \`launchTime\` | last visit | \`before after equal_to not_equal lesser_than lesser_equals greater_than greater_equals\` |
| \`launchCount\` | number of visits | \`equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
| \`tags\` | tags of the user | \`equal_to not_equal include not_include\` |
| \`deviceType\` | android, ios, web … | \`equal_to not_equal include not_include\` |
| \`clientVersion\` | version of the app | \`equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
| \`osVersion\` | version of the operating system | \`equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
| \`userId\` | registered or guest user id | \`equal_to not_equal include not_include\` |
| \`channel\` | channels it is subscribed to | \`equal_to not_equal include not_include\` |
| \`language\` | | \`equal_to not_equal include not_include\` |
| \`timeZone\` | | \`equal_to not_equal include not_include\` |
| \`tags.<key>\` | value of a key/value tag | \`equal_to not_equal include not_include\` |
| \`attributes.<name>\` | a number | \`equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
| \`attributes.<name>\` | a date | \`before after equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
| \`attributes.<name>\` | a text, a boolean, an array of texts | \`equal_to not_equal include not_include\` |
| \`<event>.count\` | how often it happened; 0 if never | \`equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
| \`<event>.first\`, \`<event>.last\` | when it happened | \`before after equal_to not_equal lesser_than lesser_equals greater_than greater_equals\` |
| \`<event>.sum\`, \`.avg\`, \`.min\`, \`.max\`, \`.lastValue\` | of its revenue, else of a numeric \`eventData.value\` | \`equal_to not_equal lesser_than lesser_equals greater_than greater_equals include not_include\` |
`.trim()

const rulesDescription = `
A segment has \`all\` (every rule holds), \`any\` (one of them holds) or both; in place of a rule there may be such an object again, up to 8 levels deep. A rule is tested on each installation.

${operatorTable}

- Times are \`"<x>h"\` (the moment x hours ago), ISO 8601 dates or epoch milliseconds: \`after "6h"\` is within the last six hours, \`before "6h"\` earlier.
- \`include\` and \`not_include\` take an array. For tags, channels and arrays of texts \`equal_to\` and \`include\` mean "contains", \`not_equal\` and \`not_include\` "contains none of".
- Versions compare part by part as numbers: \`1.10\` is after \`1.9\`. Event names are matched whatever their case; \`purchase\` is all revenue events.
- An installation without the field matches only \`not_equal\` and \`not_include\`.
- A rule with an unknown key, name or operator, or a value that does not suit, is refused: it is never ignored.
`.trim()

const targetDescription = `
A where-filter over the names of segment rules, and \`created\` (= \`installDate\`), \`userId\` and \`id\`: \`{"deviceType":"ios"}\`, \`{"launchCount":{"gte":3,"lt":10}}\`. Several keys must all hold. Operators: \`neq inq nin lt lte gt gte between exists\`; \`and\` and \`or\` take arrays of filters. \`{}\` is everybody. A text is the id or the name of a saved segment.
`.trim()

const Rule = Type.Object({
  name: Type.String({ description: 'What is tested, such as "launchTime" or "attributes.age".' }),
  operator: Type.String({ description: 'Such as "equal_to"; which ones are allowed depends on the name.' }),
  value: Type.Unknown({ description: 'A text, a number, true, false, or an array of them.' }),
})

const Group = Type.Record(Type.String(), Type.Unknown(), {
  description: 'In place of a rule: rules under `all`, `any` or both, up to 8 levels deep.',
})

const Rules = Type.Array(Type.Union([Rule, Group]))

// What is no segment is refused where rules are read, which can say which rule it is and what would have been right.
const anything = Type.Unknown()

export const Segment = Type.Union([Type.Object({ all: Type.Optional(Rules), any: Type.Optional(Rules) }), anything], {
  description: 'Rules under `all`, `any` or both.',
})

export const Target = Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.String(), anything], {
  description: targetDescription,
})

export const SavedSegment = Type.Object({
  id: Type.String(),
  name: Type.String(),
  segment: Type.Object({ all: Type.Optional(Rules), any: Type.Optional(Rules) }),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  updatedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
})
export type SavedSegment = Static<typeof SavedSegment>

const SegmentName = Name('a name of 1 to 255 bytes')

const IdOrName = Type.Object({
  id: Type.String({
    minLength: 1,
    pattern: '^[^\\u0000]+$',
    expected: 'the id or the name of a segment',
    description: 'The id or the name of a segment.',
  }),
})

const segment = {
  all: [
    { name: 'deviceType', operator: 'equal_to', value: 'android' },
    { name: 'launchTime', operator: 'before', value: '168h' },
    { name: 'purchase.count', operator: 'greater_than', value: 0 },
  ],
}

const saved = {
  id: '5f3c0d5e-8a34-4f0c-9d51-1d8c6a0b7e42',
  name: 'sleeping buyers',
  segment,
  createdAt: 1_794_700_800_000,
  updatedAt: 1_794_700_800_000,
}

export const createSegment = defineEndpoint({
  summary: 'Save a segment',
  description: `A saved segment can be named as \`target\` of a group send. Its name is the app's only one.\n\n${rulesDescription}`,
  group,
  body: Type.Object({ name: SegmentName, segment: Segment }),
  answer: SavedSegment,
  example: { body: { name: saved.name, segment }, answer: saved },
})

export const countSegment = defineEndpoint({
  summary: 'Count a segment without saving it',
  description: `Counts the installations and users that \`segment\` or \`target\` finds at this moment. \`funnel\` says how many installations are left after each rule of \`all\`, in their order. The body may also be the segment itself: \`{"all":[…]}\`.\n\n${rulesDescription}\n\n\`target\`: ${targetDescription}`,
  group,
  body: Type.Object({ segment: Type.Optional(Segment), target: Type.Optional(Target) }),
  answer: Type.Object({
    count: Type.Integer({ description: 'Installations.' }),
    users: Type.Integer({ description: 'Users who have at least one of them.' }),
    funnel: Type.Array(
      Type.Object({
        rule: Type.Unknown({ description: 'The rule as it was sent.' }),
        count: Type.Integer({ description: 'Installations that pass it and all rules before it.' }),
      }),
    ),
  }),
  example: {
    body: { segment },
    answer: {
      count: 412,
      users: 398,
      funnel: [
        { rule: segment.all[0], count: 18_204 },
        { rule: segment.all[1], count: 5_120 },
        { rule: segment.all[2], count: 412 },
      ],
    },
  },
})

export const listSegments = defineEndpoint({
  summary: 'List the saved segments by name',
  group,
  answer: Type.Array(SavedSegment),
  example: { answer: [saved] },
})

export const getSegment = defineEndpoint({
  summary: 'Read a saved segment',
  group,
  params: IdOrName,
  answer: SavedSegment,
  example: { params: { id: 'sleeping buyers' }, answer: saved },
})

export const replaceSegment = defineEndpoint({
  summary: 'Replace a saved segment',
  description:
    'Without `name` it keeps the one it has. Messages that were accepted before keep the rules of that time.',
  group,
  params: IdOrName,
  body: Type.Object({ name: Type.Optional(SegmentName), segment: Segment }),
  answer: SavedSegment,
  example: { params: { id: saved.id }, body: { name: saved.name, segment }, answer: saved },
})

export const deleteSegment = defineEndpoint({
  summary: 'Delete a saved segment',
  group,
  params: IdOrName,
  answer: Type.Object({ id: Type.String(), name: Type.String() }),
  example: { params: { id: saved.id }, answer: { id: saved.id, name: saved.name } },
})
