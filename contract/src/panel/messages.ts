import Type, { type Static } from 'typebox'
import { messageVariants } from '../campaigns/variants.ts'
import {
  countsOf,
  type DeliveryReason,
  type DeliveryState,
  deliveryReasons,
  deliveryStates,
  Influenced,
  noneOf,
} from '../delivery-words.ts'
import { Languages, Message, messageStates, Progress, Recall, SendAt } from '../messages.ts'
import { type AnswerOf, defineEndpoint } from '../schema/endpoint.ts'

const group = 'Panel: messages'
const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'

const States = Type.Unsafe<Record<DeliveryState, number>>(countsOf(deliveryStates))
const Reasons = Type.Unsafe<Record<DeliveryReason, number>>(countsOf(deliveryReasons))

/** A message as a list shows it. */
export const MessageLine = Type.Object({
  id: Type.String(),
  product: Type.Enum(['message', 'notification']),
  audience: Type.Enum(['users', 'public', 'query']),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  cancelledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  recalledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  count: Type.Integer({ description: 'Installations it goes to, counted when it was accepted.' }),
  user: Type.Optional(Type.String({ description: 'The receiver, when it is one.' })),
  userCount: Type.Optional(Type.Integer({ description: 'How many users were named, when more than one.' })),
  segmentName: Type.Optional(Type.String({ description: 'The saved segment it was sent to, by its name now.' })),
  isToAll: Type.Optional(Type.Boolean({ description: 'It went to everybody.' })),
  channel: Type.String(),
  trackId: Type.Optional(Type.String()),
  title: Type.Optional(Type.String({ description: 'The notification’s title, shortened.' })),
  text: Type.Optional(Type.String({ description: 'What it says, shortened.' })),
  silent: Type.Optional(Type.Boolean()),
  isTest: Type.Optional(Type.Boolean({ description: 'Somebody tried it on devices of their choice.' })),
  states: States,
  progress: Progress,
})
export type MessageLine = Static<typeof MessageLine>

const states = { ...noneOf(deliveryStates), sent: 5310, delivered: 4980, shown: 4902, opened: 611, ended: 11 }
const line = {
  id,
  product: 'message',
  audience: 'query',
  createdAt: 1_794_700_800_000,
  count: 5321,
  channel: 'default',
  trackId: 'come-back',
  title: 'We miss you',
  text: 'Your code: {{ promoCode }}',
  states,
  progress: { total: 5321, settled: 5321, waiting: 0, startedAt: 1_794_700_800_020, finishedAt: 1_794_700_802_400 },
}

export const panelMessages = defineEndpoint({
  summary: 'List messages as the panel shows them, newest first',
  description:
    '`search` finds a message by its id, its trackId, its clientId, a user it was sent to, or by words of its text; by words among the latest 2,000 messages to groups.',
  group,
  query: Type.Object({
    search: Type.Optional(Type.String({ maxLength: 255, expected: 'a text of at most 255 characters' })),
    kind: Type.Optional(Type.Enum(['group', 'personal'], { expected: '"group" or "personal"' })),
    trackId: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 100,
        expected: 'a whole number from 1 to 100',
        description: '25 by default.',
      }),
    ),
  }),
  answer: Type.Object({
    at: Type.Integer({ description: 'When all of these were counted. Epoch milliseconds.' }),
    data: Type.Array(MessageLine),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: { query: { search: 'come-back' }, answer: { at: 1_794_800_000_000, data: [line] } },
})
export type MessageLines = AnswerOf<typeof panelMessages>

const params = Type.Object({ id: Type.String({ description: 'The id that the send answered.' }) })

const Opens = Type.Object({
  at: Type.Integer({ description: 'The beginning of the hour or day (UTC), in epoch milliseconds.' }),
  opened: Type.Integer({ description: 'Devices that opened it by a tap.' }),
  acted: Type.Integer({ description: 'Devices that opened it by an action.' }),
})
export const MessageOpens = Type.Object({
  hours: Type.Array(Opens, { description: 'The first 48 hours, up to now.' }),
  days: Type.Array(Opens, { description: 'All days until now, or until the last on which it was opened.' }),
})
export type MessageOpens = Static<typeof MessageOpens>

/** All numbers of a message, from one snapshot. The live stream sends the same set. */
export const MessageCounts = Type.Object({
  at: Type.Integer({ description: 'When everything here was counted. Epoch milliseconds.' }),
  opens: Type.Object(MessageOpens.properties, {
    description:
      'When devices opened it. The totals match `opened` and `acted` of `states`, except for devices whose user was deleted since.',
  }),
  test: Type.Optional(
    Type.Object(messageVariants.answer.properties, { description: 'Of a message with `variants` or `control`.' }),
  ),
  states: States,
  reasons: Reasons,
  actions: Type.Record(Type.String(), Type.Integer(), { description: 'How many installations took each action.' }),
  languages: Type.Optional(Languages),
  progress: Progress,
  influenced: Influenced,
  fallbackCounts: Type.Optional(Type.Record(Type.String(), Type.Integer())),
  codes: Type.Optional(
    Type.Object(
      {
        given: Type.Integer({ description: 'Promo codes given with it; not counted beyond 100,000.' }),
        isMore: Type.Boolean(),
      },
      { description: 'When a text has `{{ promoCode }}`.' },
    ),
  ),
  cancelledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  recalledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  recall: Type.Optional(Recall),
})
export type MessageCounts = Static<typeof MessageCounts>

export const MessageDetail = Type.Object({
  ...Message.properties,
  state: Type.Enum(messageStates),
  ...MessageCounts.properties,
  segmentId: Type.Optional(Type.String({ description: 'The saved segment that it was sent to.' })),
  segmentName: Type.Optional(
    Type.String({ description: 'The name that segment has now; or of one with the same rules.' }),
  ),
  users: Type.Optional(Type.Array(Type.String(), { description: 'The first of the users it was sent to.' })),
  campaignName: Type.Optional(Type.String()),
  approvedBy: Type.Optional(
    Type.String({
      description: 'The member who approved it, or the series that it belongs to, where that was needed.',
    }),
  ),
  approvedAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  usual: Type.Optional(
    Type.Object(
      {
        openShare: Type.Number({
          description:
            'The median of their open rates: devices on which it was opened, as a share of those that confirmed it.',
        }),
        messages: Type.Integer({ description: 'How many messages were compared.' }),
      },
      {
        description:
          'What to compare its open rate with: the app’s messages to groups of the 30 days before it, the latest 100 of them, that at least 100 devices confirmed and that are at least a day old. Absent where there are fewer than three, and for a message that has no notification to open.',
      },
    ),
  ),
})
export type MessageDetail = Static<typeof MessageDetail>

export const panelMessage = defineEndpoint({
  summary: 'Read a message, whom it went to and what became of it',
  group,
  params,
  answer: MessageDetail,
  example: {
    params: { id },
    answer: {
      id,
      product: 'message',
      audience: 'query',
      createdAt: 1_794_700_800_000,
      expireAt: 1_797_292_800_000,
      count: 5321,
      channel: 'default',
      trackId: 'come-back',
      campaignName: 'Come back',
      content: 'Your code: {{ promoCode }}',
      state: 'sent',
      segment: { all: [{ name: 'launchTime', operator: 'before', value: '168h' }] },
      segmentName: 'Asleep for a week',
      at: 1_794_704_400_000,
      opens: {
        hours: [
          { at: 1_794_700_800_000, opened: 602, acted: 0 },
          { at: 1_794_704_400_000, opened: 9, acted: 0 },
        ],
        days: [{ at: 1_794_700_800_000, opened: 611, acted: 0 }],
      },
      states,
      reasons: { ...noneOf(deliveryReasons), gone: 11 },
      actions: {},
      progress: line.progress,
      influenced: { events: 120, directEvents: 80, revenue: { EUR: 1830.5 } },
      codes: { given: 5321, isMore: false },
      usual: { openShare: 0.093, messages: 14 },
    },
  },
})

export const panelMoveScheduled = defineEndpoint({
  summary: 'Move a scheduled message to another time',
  description:
    'Keeps its id. A time within the last hour starts it at once. If one member may not send it alone, it keeps its time until another member approves the new one (`approvalId`).',
  group,
  params,
  body: Type.Object({ sendAt: SendAt }),
  answer: Type.Object({
    ...Message.properties,
    approval: Type.Optional(Type.Literal('waiting')),
    approvalId: Type.Optional(
      Type.String({ description: 'The request that waits for the approval of another member.' }),
    ),
  }),
  example: {
    params: { id },
    body: { sendAt: 1_794_819_600_000 },
    answer: {
      id,
      product: 'message',
      audience: 'query',
      createdAt: 1_794_700_800_000,
      sendAt: 1_794_819_600_000,
      expireAt: 1_797_411_600_000,
      count: 5321,
      channel: 'default',
      target: {},
      content: 'The sale starts now',
    },
  },
})
