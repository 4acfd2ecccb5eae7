import Type, { type Static } from 'typebox'
import { AnyNotification } from '../message-body.ts'
import { Message } from '../messages.ts'
import { defineEndpoint } from '../schema/endpoint.ts'

const group = 'Series'

export const seriesStates = ['active', 'paused', 'ended'] as const
export type SeriesState = (typeof seriesStates)[number]
/** What became of an occurrence whose turn it was. */
export const occurrenceEnds = ['sent', 'skipped', 'missed'] as const
export type OccurrenceEnd = (typeof occurrenceEnds)[number]

const State = Type.Enum(seriesStates, { expected: `one of ${seriesStates.join(', ')}` })
const Milliseconds = (description: string) => Type.Integer({ description: `${description}, in epoch milliseconds.` })

const { id: _id, createdAt: _at, sendAt: _when, expireAt: _until, cancelledAt: _no, ...saying } = Message.properties
const { seriesId: _series, ...messageFields } = saying

const Next = Type.Object({
  id: Type.String({ description: 'The message, which can be changed or cancelled by itself.' }),
  sendAt: Milliseconds('When it goes; with a local time, to the first users'),
  isChanged: Type.Optional(Type.Boolean({ description: 'It was moved or edited by itself.' })),
})

const StoryLine = Type.Object({
  at: Milliseconds('The moment that the rule gave it'),
  what: Type.Enum(occurrenceEnds, {
    description:
      '`sent`; `skipped`: it was cancelled, or its time came during a pause; `missed`: the service was away at its time, and for an hour after it.',
  }),
  messageId: Type.Optional(Type.String()),
  notedAt: Milliseconds('When it was noted'),
})
export type StoryLine = Static<typeof StoryLine>

const fields = {
  id: Type.String(),
  state: State,
  repeat: Type.Object({
    rule: Type.String(),
    zone: Type.String(),
    until: Type.Optional(Milliseconds('Nothing goes after this moment')),
    count: Type.Optional(Type.Integer({ description: 'How often it happens in all.' })),
  }),
  sendAt: Milliseconds('The start of the rule; with a local time, for the first users'),
  localTime: Type.Optional(
    Type.Object(
      {
        local: Type.String({ description: 'The start of the rule.' }),
        zone: Type.String({ description: 'Of users of whom no zone is known.' }),
        late: Type.Union([Type.Literal('now'), Type.Literal('nextDay'), Type.Literal('skip')]),
      },
      { description: 'It goes to each user at the time on the user’s own clock.' },
    ),
  ),
  next: Type.Array(Next, { description: 'The next occurrences, five at most. While it is paused they do not go.' }),
  sent: Type.Integer({ description: 'Occurrences that were sent.' }),
  skipped: Type.Integer({ description: 'Occurrences that were cancelled, or came during a pause.' }),
  missed: Type.Integer({ description: 'Occurrences that did not go because the service was away.' }),
  createdAt: Milliseconds('When it was accepted'),
  createdBy: Type.Optional(
    Type.String({ description: 'The member or the access token that sent it. Only members are told, in the panel.' }),
  ),
  changedAt: Milliseconds('When it was changed, paused, resumed or ended last'),
  endedAt: Type.Optional(Milliseconds('When it ended')),
  message: Type.Object(messageFields, {
    description: 'What every occurrence says, and to whom. `count` is of the moment it was accepted or changed last.',
  }),
}

export const SeriesLine = Type.Object(fields)
export type SeriesLine = Static<typeof SeriesLine>

export const Series = Type.Object({
  ...fields,
  story: Type.Array(StoryLine, { description: 'What became of the last 50 occurrences, the latest first.' }),
})
export type Series = Static<typeof Series>

const Id = Type.Object({ id: Type.String({ description: 'The `seriesId` that the send answered.' }) })

const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
const line = {
  id,
  state: 'active',
  repeat: { rule: 'FREQ=WEEKLY;BYDAY=MO,TH', zone: 'Asia/Tehran' },
  sendAt: 1_794_807_000_000,
  next: [
    { id: '019a8f86-2ec0-7000-8000-000000000001', sendAt: 1_795_066_200_000 },
    { id: '019a9315-0040-7000-8000-000000000002', sendAt: 1_795_329_000_000, isChanged: true },
  ],
  sent: 1,
  skipped: 0,
  missed: 0,
  createdAt: 1_794_700_800_000,
  changedAt: 1_794_700_800_000,
  message: {
    product: 'message',
    audience: 'query',
    count: 5321,
    channel: 'default',
    trackId: 'weekly',
    target: {},
    content: 'The offers of the week',
  },
} as const
const series = {
  ...line,
  story: [{ at: 1_794_807_000_000, what: 'sent', messageId: id, notedAt: 1_794_807_000_500 }],
} as const

export const listSeries = defineEndpoint({
  summary: 'List series, the newest first',
  description: 'Messages that repeat. One that has ended is forgotten after 90 days.',
  group,
  query: Type.Object({
    state: Type.Optional(State),
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        expected: 'a whole number from 1 to 100',
        description: '25 unless given.',
      }),
    ),
  }),
  answer: Type.Object({
    data: Type.Array(SeriesLine),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: { query: { state: 'active' }, answer: { data: [line] } },
})

export const getSeries = defineEndpoint({
  summary: 'Read a series',
  group,
  params: Id,
  answer: Series,
  example: { params: { id }, answer: series },
})

export const changeSeries = defineEndpoint({
  summary: 'Change a series',
  description:
    'Changes the occurrences that have not started, except those that were changed by themselves. What is not given stays. `repeat` is replaced as a whole: with it, or with a `sendAt`, which is the start of the rule, the occurrences to come are made anew. A series that has ended is refused with 409 `series-ended`.',
  group,
  params: Id,
  body: AnyNotification,
  answer: Series,
  example: { params: { id }, body: { content: 'The offers of the week' }, answer: series },
})

export const pauseSeries = defineEndpoint({
  summary: 'Pause a series',
  description: 'Nothing of it goes until it is resumed. Occurrences whose time comes meanwhile are skipped.',
  group,
  params: Id,
  answer: Series,
  example: { params: { id }, answer: { ...series, state: 'paused' } },
})

export const resumeSeries = defineEndpoint({
  summary: 'Resume a series',
  group,
  params: Id,
  answer: Series,
  example: { params: { id }, answer: series },
})

export const skipNext = defineEndpoint({
  summary: 'Skip the next occurrence of a series',
  description: 'It counts as one that happened. Cancelling its message does the same.',
  group,
  params: Id,
  answer: Series,
  example: { params: { id }, answer: { ...series, skipped: 1 } },
})

export const endSeries = defineEndpoint({
  summary: 'End a series',
  description: 'For good: the occurrences that have not started are cancelled. What was sent stays.',
  group,
  params: Id,
  answer: Series,
  example: { params: { id }, answer: { ...series, state: 'ended', next: [], endedAt: 1_794_900_000_000 } },
})
