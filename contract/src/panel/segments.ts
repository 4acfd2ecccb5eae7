import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { SavedSegment, Segment, Target } from '../segments.ts'

const group = 'Panel: segments'
const params = Type.Object({
  id: Type.String({
    pattern: '^[^\\u0000]+$',
    expected: 'the id of a segment',
    description: 'The id of a saved segment.',
  }),
})
const Day = Type.String({ description: 'A UTC day, such as 2026-11-15.' })
const Kind = Type.String({
  description: 'time, number, version, text, boolean, list, date, tags or channel: what its values are.',
})
const segmentId = '5f3c0d5e-8a34-4f0c-9d51-1d8c6a0b7e42'
const segment = { all: [{ name: 'deviceType', operator: 'equal_to', value: 'android' }] }

const SegmentFields = Type.Object({
  fields: Type.Array(Type.Object({ name: Type.String(), kind: Kind })),
  aggregates: Type.Array(Type.Object({ name: Type.String(), kind: Kind }), {
    description: 'What can be asked of an event: its name, a dot and one of these.',
  }),
  operators: Type.Record(Type.String(), Type.Array(Type.String()), { description: 'Which operators a kind takes.' }),
  attributes: Type.Array(Type.Object({ name: Type.String(), kind: Kind })),
  tagKeys: Type.Array(Type.String(), { description: 'Tags that have values.' }),
  events: Type.Array(Type.String()),
})
export type SegmentFields = Static<typeof SegmentFields>

export const panelSegmentFields = defineEndpoint({
  summary: 'What a rule can ask for',
  description: 'At most 500 attributes, 200 tags with values and 500 events: others can be named all the same.',
  group,
  answer: SegmentFields,
  example: {
    answer: {
      fields: [{ name: 'launchTime', kind: 'time' }],
      aggregates: [{ name: 'count', kind: 'number' }],
      operators: { time: ['before', 'after'] },
      attributes: [{ name: 'age', kind: 'number' }],
      tagKeys: ['city'],
      events: ['purchase', 'AddToCart'],
    },
  },
})

export const panelSegmentSuggestions = defineEndpoint({
  summary: 'Values that a name has',
  description:
    'At most 20 that begin with the prefix. Tags, tag values and user ids are looked up; others come from the 10,000 newest installations, the most frequent first.',
  group,
  query: Type.Object({
    name: Type.String({ maxLength: 600, pattern: '^[^\\u0000]*$', expected: 'the name of a rule, such as "tags"' }),
    prefix: Type.Optional(
      Type.String({ maxLength: 255, pattern: '^[^\\u0000]*$', expected: 'the beginning of a value' }),
    ),
  }),
  answer: Type.Array(Type.String()),
  example: { query: { name: 'tags', prefix: 'v' }, answer: ['vegan', 'vip'] },
})

const SegmentSample = Type.Object({
  data: Type.Array(
    Type.Object({
      userId: Type.String(),
      isGuest: Type.Boolean(),
      installationId: Type.String(),
      deviceType: Type.String(),
      deviceModel: Type.Optional(Type.String()),
      clientVersion: Type.Optional(Type.String()),
      launchTime: Type.Integer({ description: 'The last visit, epoch milliseconds.' }),
    }),
  ),
})
export type SegmentSample = Static<typeof SegmentSample>

export const panelSampleSegment = defineEndpoint({
  summary: 'Ten installations that a segment finds',
  group,
  body: Type.Object({ segment: Type.Optional(Segment), target: Type.Optional(Target) }),
  answer: SegmentSample,
  example: {
    body: { segment },
    answer: {
      data: [
        {
          userId: 'sara',
          isGuest: false,
          installationId: '7c9e6679-7425-40de-944b-e07fc1f90ae7',
          deviceType: 'android',
          deviceModel: 'Pixel 9',
          clientVersion: '2.4.1',
          launchTime: 1_794_700_800_000,
        },
      ],
    },
  },
})

const SegmentSize = Type.Object({
  day: Day,
  count: Type.Integer({ description: 'Installations.' }),
  countedAt: Type.Optional(
    Type.Integer({ description: 'When it was counted on that day, in epoch milliseconds; absent for old sizes.' }),
  ),
})
export type SegmentSize = Static<typeof SegmentSize>

const SegmentRow = Type.Object({
  ...SavedSegment.properties,
  sizes: Type.Array(SegmentSize, {
    description: 'Of the last 30 days, oldest first; counted once a day and when it is saved.',
  }),
})
export type SegmentRow = Static<typeof SegmentRow>

const row = {
  id: segmentId,
  name: 'Android',
  segment,
  createdAt: 1_794_700_800_000,
  updatedAt: 1_794_700_800_000,
  sizes: [{ day: '2026-11-15', count: 412, countedAt: 1_794_700_812_345 }],
}

export const panelSegments = defineEndpoint({
  summary: 'List the saved segments with their sizes',
  group,
  answer: Type.Object({ data: Type.Array(SegmentRow) }),
  example: { answer: { data: [row] } },
})

const SegmentUses = Type.Object({
  data: Type.Array(
    Type.Object({
      id: Type.String({ description: 'Of the message.' }),
      acceptedAt: Type.Integer(),
      text: Type.String(),
      count: Type.Integer({ description: 'Installations.' }),
      trackId: Type.Optional(Type.String()),
    }),
  ),
  cursor: Type.Optional(Type.String()),
})

const SegmentDetail = Type.Object({ ...SegmentRow.properties, uses: SegmentUses })
export type SegmentDetail = Static<typeof SegmentDetail>

export const panelSegment = defineEndpoint({
  summary: 'A saved segment, its size over 90 days and the messages that went to it',
  description: 'The newest 20 messages; `cursor` leads to those before them.',
  group,
  params,
  query: Type.Object({ cursor: Type.Optional(Type.String()) }),
  answer: SegmentDetail,
  example: {
    params: { id: segmentId },
    answer: {
      ...row,
      uses: {
        data: [
          {
            id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
            acceptedAt: 1_794_700_800_000,
            text: 'The sale has started',
            count: 412,
            trackId: 'sale',
          },
        ],
      },
    },
  },
})

export const panelSegmentUsers = defineEndpoint({
  summary: 'Everybody in a saved segment, as CSV',
  description: 'A line per installation.',
  group,
  params,
  answer: Type.String(),
  example: {
    params: { id: segmentId },
    answer: 'userId,installationId\r\nsara,7c9e6679-7425-40de-944b-e07fc1f90ae7\r\n',
  },
})
