import Type, { type Static } from 'typebox'
import { Cap } from '../app.ts'
import { defineEndpoint } from '../schema/endpoint.ts'

const group = 'Panel: messages'

const Milliseconds = (description: string) => Type.Integer({ description: `${description}, in epoch milliseconds.` })

const fields = {
  at: Milliseconds('Where it stands: when it goes or went; with a local time, when clocks in `zone` show that'),
  title: Type.Optional(Type.String({ description: 'The notification’s title or the beginning of the text.' })),
  audience: Type.Enum(['users', 'public', 'query']),
  isToAll: Type.Optional(Type.Boolean({ description: 'It is for everybody.' })),
  count: Type.Integer({ description: 'Installations, counted when it was accepted, changed or sent.' }),
  category: Type.Optional(Type.String({ description: 'Absent when it is transactional.' })),
  seriesId: Type.Optional(Type.String({ description: 'The series that it is an occurrence of.' })),
  localTime: Type.Optional(
    Type.Object(
      {
        local: Type.String(),
        zone: Type.Optional(Type.String()),
        late: Type.Union([Type.Literal('now'), Type.Literal('nextDay'), Type.Literal('skip')]),
      },
      { description: 'It goes to each user at this time on the user’s own clock.' },
    ),
  ),
}

const Planned = Type.Object({
  ...fields,
  id: Type.Optional(
    Type.String({ description: 'Absent for a later moment of a series, for which there is no message yet.' }),
  ),
  isPaused: Type.Optional(Type.Boolean({ description: 'Its series is paused: it does not go.' })),
  isChanged: Type.Optional(Type.Boolean({ description: 'An occurrence that was moved or edited by itself.' })),
  isClose: Type.Optional(
    Type.Boolean({ description: 'It is for everybody, and so is another one within an hour of it.' }),
  ),
})
export type PlannedEntry = Static<typeof Planned>

const Sent = Type.Object({
  ...fields,
  id: Type.String(),
  state: Type.Enum(['sending', 'paused', 'sent', 'cancelled', 'recalled']),
})
export type SentEntry = Static<typeof Sent>

const Day = Milliseconds('The beginning of the day in `zone`')

const Calendar = Type.Object({
  zone: Type.String({ description: 'Whose days these are.' }),
  planned: Type.Array(Planned, { description: 'What is to go, by time.' }),
  sent: Type.Array(
    Type.Object({
      day: Day,
      count: Type.Integer({ description: 'Messages to groups of that day.' }),
      first: Type.Array(Sent, { description: 'The first eight of them.' }),
    }),
    {
      description:
        'Days on which messages were sent to groups. A cancelled message is listed only when some devices got it.',
    },
  ),
  crowded: Type.Array(
    Type.Object({
      day: Day,
      count: Type.Integer({ description: 'The most messages to groups that lie within the cap’s window on that day.' }),
      cap: Cap,
    }),
    {
      description:
        'Days with more messages to groups than a cap allows one user, when all planned ones go. How many users are in several of them is not known.',
    },
  ),
  isMore: Type.Boolean({
    description:
      'There is more than one answer may hold: 1,000 planned messages to groups, 300 to named users, and a number of later moments of series.',
  }),
})
export type Calendar = Static<typeof Calendar>

export const longestCalendarDays = 62

const from = 1_793_491_200_000
const example = {
  zone: 'UTC',
  planned: [
    {
      id: '019a8f86-2ec0-7000-8000-000000000001',
      at: 1_795_066_200_000,
      title: 'The offers of the week',
      audience: 'query',
      isToAll: true,
      count: 5321,
      category: 'news',
      seriesId: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
    },
    {
      id: '019a9315-0040-7000-8000-000000000002',
      at: 1_795_078_800_000,
      title: 'Good morning',
      audience: 'query',
      count: 1200,
      localTime: { local: '2026-11-19T09:00', late: 'now' },
    },
    {
      at: 1_795_671_000_000,
      title: 'The offers of the week',
      audience: 'query',
      isToAll: true,
      count: 5321,
      category: 'news',
      seriesId: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
    },
  ],
  sent: [
    {
      day: 1_794_700_800_000,
      count: 1,
      first: [
        {
          id: '019a7a85-9000-7000-8000-000000000003',
          at: 1_794_735_000_000,
          title: 'We miss you',
          audience: 'query',
          count: 5321,
          state: 'sent',
        },
      ],
    },
  ],
  crowded: [{ day: 1_795_046_400_000, count: 4, cap: { count: 3, window: '24h' } }],
  isMore: false,
}

export const panelCalendar = defineEndpoint({
  summary: 'See what is to go and what went, by day',
  description: `At most ${longestCalendarDays} days. Besides scheduled messages, it has the later moments of series, by their rule. What went to named users is not listed.`,
  group,
  query: Type.Object({
    from: Type.Integer({ minimum: 0, maximum: 8e15, expected: 'epoch milliseconds' }),
    to: Type.Integer({ minimum: 0, maximum: 8e15, expected: 'epoch milliseconds' }),
    zone: Type.Optional(
      Type.String({
        maxLength: 64,
        expected: 'a time zone such as "Asia/Tehran"',
        description: 'Whose days and clock it is shown by; the app’s unless given.',
      }),
    ),
  }),
  answer: Calendar,
  example: { query: { from: String(from), to: String(from + 30 * 86_400_000), zone: 'UTC' }, answer: example },
})
