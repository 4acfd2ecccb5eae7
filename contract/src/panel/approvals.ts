import Type, { type Static } from 'typebox'
import { Message } from '../messages.ts'
import { Repeat } from '../schedule/repeat.ts'
import { defineEndpoint } from '../schema/endpoint.ts'

const group = 'Panel: approvals'

const moment = (description: string) => Type.Integer({ description: `${description} Epoch milliseconds.` })

const State = Type.Union(
  [
    Type.Literal('waiting'),
    Type.Literal('approved'),
    Type.Literal('declined'),
    Type.Literal('withdrawn'),
    Type.Literal('lapsed'),
  ],
  { description: 'A send lapses when nobody has decided within 7 days, or before the time at which it was to go.' },
)

const Approval = Type.Object({
  id: Type.String(),
  state: State,
  message: Type.Object(Message.properties, {
    description: 'As requested, or as approved. The page of a waiting request has it as it would be sent now.',
  }),
  repeat: Type.Optional(Repeat),
  moves: Type.Optional(Type.String({ description: 'The scheduled message to reschedule.' })),
  count: Type.Integer({ description: 'Installations it would have gone to when it was asked for.' }),
  askedAt: moment('When it was asked for.'),
  askedBy: Type.String(),
  isOwn: Type.Boolean({ description: 'The member who reads this has asked for it.' }),
  lapsesAt: moment('Until when it can be approved.'),
  lapsesByTime: Type.Boolean({ description: 'It lapses because the time comes at which it was to go.' }),
  decidedAt: Type.Optional(moment('When somebody decided.')),
  decidedBy: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String({ description: 'Why it was declined.' })),
  messageId: Type.Optional(Type.String({ description: 'What was sent or scheduled.' })),
  seriesId: Type.Optional(Type.String({ description: 'The series that was made.' })),
})
export type Approval = Static<typeof Approval>

const ApprovalDetail = Type.Object({
  ...Approval.properties,
  users: Type.Optional(Type.Array(Type.String(), { description: 'Users that it names, up to 20.' })),
  now: Type.Optional(
    Type.Object(
      {
        count: Type.Integer({ description: 'Installations it would go to by now.' }),
        hasGrown: Type.Boolean({ description: 'More than a tenth beyond what was asked for.' }),
        hasChanged: Type.Boolean({
          description:
            'Whether the content, the audience, or the time has changed since, such as by a template, a saved segment, or the app’s texts.',
        }),
        seen: Type.String({
          description: 'Send it with an approval: if anything has changed since, nothing is sent.',
        }),
        look: Type.Object(
          {
            name: Type.String(),
            notificationText: Type.Optional(Type.String()),
            icon: Type.Optional(Type.String()),
          },
          { description: 'What the app shows where the message has nothing of its own.' },
        ),
      },
      { description: 'While it waits.' },
    ),
  ),
  movesFrom: Type.Optional(
    Type.Object(
      { sendAt: Message.properties.sendAt, localTime: Message.properties.localTime },
      { description: 'The current time of a scheduled message while a new one waits for approval.' },
    ),
  ),
  blocked: Type.Optional(
    Type.String({ description: 'Why it could not be sent by now, such as a category that was deleted.' }),
  ),
})
export type ApprovalDetail = Static<typeof ApprovalDetail>

const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'
const seen = 'RBNvo1WzZ4oRRq0W9-hknpT7T8If536DEMBg9hyq_4o'
const waiting = {
  id,
  state: 'waiting',
  message: {
    id,
    product: 'message',
    audience: 'query',
    createdAt: 1_794_700_800_000,
    expireAt: 1_795_305_600_000,
    count: 120_000,
    channel: 'default',
    target: {},
    content: 'The sale has started',
  },
  count: 120_000,
  askedAt: 1_794_700_800_000,
  askedBy: 'sara@shop.example',
  isOwn: false,
  lapsesAt: 1_795_305_600_000,
  lapsesByTime: false,
}

export const panelApprovals = defineEndpoint({
  summary: 'List sends that wait for approval, and those that were decided lately',
  description: 'Those that wait come first, the oldest first; then up to 50 of the last 30 days, the newest first.',
  group,
  answer: Type.Object({ data: Type.Array(Approval) }),
  example: { answer: { data: [waiting] } },
})

const Id = Type.Object({ id: Type.String({ minLength: 1, expected: 'the id of a send that was asked for' }) })

export const panelApproval = defineEndpoint({
  summary: 'Read a send that waits for approval',
  group,
  params: Id,
  answer: ApprovalDetail,
  example: {
    params: { id },
    answer: { ...waiting, now: { count: 121_400, hasGrown: false, hasChanged: false, seen, look: { name: 'Shop' } } },
  },
})

export const panelApprove = defineEndpoint({
  summary: 'Approve a send',
  description:
    'It is sent, scheduled, moved or made a series at this moment, once, in the name of the member who asked. `confirmed` is the number that the approving member has seen, `seen` what they have read. 409 `changed-meanwhile`: it has changed since, and nothing was sent.',
  group,
  params: Id,
  body: Type.Object({ confirmed: Type.Integer({ minimum: 0 }), seen: Type.String({ maxLength: 64 }) }),
  answer: Type.Object({ id: Type.String(), count: Type.Integer(), seriesId: Type.Optional(Type.String()) }),
  example: {
    params: { id },
    body: { confirmed: 121_400, seen },
    answer: { id: '019d9c41-1200-7a3c-8d2e-6f1b9c0d4e52', count: 121_400 },
  },
})

export const panelDecline = defineEndpoint({
  summary: 'Decline a send, or take an own one back',
  description: 'Who declines says why. The member who asked takes it back without a reason.',
  group,
  params: Id,
  body: Type.Object({
    reason: Type.Optional(Type.String({ maxLength: 500, expected: 'a text of at most 500 characters' })),
  }),
  answer: Type.Object({ id: Type.String(), count: Type.Integer() }),
  example: {
    params: { id },
    body: { reason: 'The price is wrong.' },
    answer: { id, count: 120_000 },
  },
})
