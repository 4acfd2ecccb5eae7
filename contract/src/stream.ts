import Type, { type Static } from 'typebox'
import { Event } from './events.ts'
import { defineEndpoint } from './schema/endpoint.ts'
import { Moment } from './schema/words.ts'

const group = 'Data'

/** In this order where they have the same time. New ones go to the end: cursors name the place of a type. */
export const streamTypes = [
  'message.accepted',
  'message.finished',
  'message.cancelled',
  'message.recalled',
  'delivery',
  'receipt',
  'event',
  'uninstall',
] as const
export type StreamType = (typeof streamTypes)[number]

const onLines = {
  time: Type.Integer({ description: 'When it was stored; lines are in this order. Epoch milliseconds.' }),
  cursor: Type.String({ description: 'Goes on right after this line.' }),
}
const installation = {
  installationId: Type.Optional(Type.String()),
  userId: Type.Optional(Type.String()),
}

const MessageLine = Type.Object({
  type: Type.Union([
    Type.Literal('message.accepted'),
    Type.Literal('message.finished'),
    Type.Literal('message.cancelled'),
    Type.Literal('message.recalled'),
  ]),
  ...onLines,
  messageId: Type.String(),
  product: Type.String({ description: 'message or notification.' }),
  audience: Type.String({ description: 'users, public or query.' }),
  channel: Type.String(),
  trackId: Type.Optional(Type.String()),
  clientId: Type.Optional(Type.String()),
  count: Type.Integer({ description: 'Installations it goes to.' }),
  expireAt: Type.Integer(),
})
const DeliveryLine = Type.Object({
  type: Type.Literal('delivery'),
  ...onLines,
  messageId: Type.String(),
  ...installation,
  state: Type.String({ description: 'Where the delivery is now.' }),
  reason: Type.Optional(Type.String({ description: 'Why it ended.' })),
  provider: Type.Optional(Type.String()),
  detail: Type.Optional(Type.String({ description: 'What the provider said.' })),
  language: Type.Optional(Type.String()),
  variant: Type.Optional(Type.String()),
  sentAt: Type.Optional(Type.Integer()),
})
const ReceiptLine = Type.Object({
  type: Type.Literal('receipt'),
  ...onLines,
  messageId: Type.String(),
  ...installation,
  kind: Type.String({ description: 'delivered, shown, opened, acted or dismissed.' }),
  actionId: Type.Optional(Type.String({ description: 'Which button.' })),
  happenedAt: Type.Integer({ description: 'By the clock of the device.' }),
})
const { id: eventId, ...eventFields } = Event.properties
const EventLine = Type.Object({ type: Type.Literal('event'), ...onLines, id: eventId, ...eventFields })
const UninstallLine = Type.Object({
  type: Type.Literal('uninstall'),
  ...onLines,
  installationId: Type.String(),
  userId: Type.String(),
  deviceType: Type.String(),
  isChurn: Type.Boolean({ description: 'It was the last installation of the user.' }),
})
const PlaceLine = Type.Object({
  type: Type.Union([Type.Literal('heartbeat'), Type.Literal('end')]),
  ...onLines,
})

const StreamLine = Type.Union([MessageLine, DeliveryLine, ReceiptLine, EventLine, UninstallLine, PlaceLine])
export type StreamLine = Static<typeof StreamLine>

export const stream = defineEndpoint({
  summary: 'Read everything that happens',
  description: [
    'Lines of JSON (NDJSON) in the order of time. Without `follow` the answer has all there is and ends; with it, it stays open and goes on, with a `heartbeat` line every few seconds. Every line has a `cursor`: asked with that of the last line it has read, whoever was cut off goes on without a gap and without anything twice.',
    'What happens is here about 30 seconds later, when nothing older can come any more. A delivery has a line for its newest state; states that lasted shorter may have none, receipts always have. `from` is included, `to` is not; without `from` and `cursor` it begins now. The last line of an answer that ended properly is `end`.',
    'One app may have 4 streams open.',
  ].join('\n\n'),
  group,
  lines: true,
  query: Type.Object({
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the last line that was read.' })),
    from: Type.Optional(Moment),
    to: Type.Optional(Moment),
    types: Type.Optional(
      Type.String({
        description: `Only these, separated by commas: ${streamTypes.map((type) => `\`${type}\``).join(', ')}.`,
      }),
    ),
    follow: Type.Optional(
      Type.Boolean({ expected: 'true or false', description: 'Stay open, until `to` where it is given.' }),
    ),
  }),
  answer: StreamLine,
  example: {
    query: { from: '2026-11-15T00:00:00Z', types: 'event,receipt' },
    answer: {
      type: 'event',
      time: 1_794_700_800_120,
      cursor: 'MTc5NDcwMDgwMDEyMDAwMCA2IDAxOWQ5YzNl',
      id: '019d9c3e-5a00-7d42-8c11-5e0a7b3f9d24',
      userId: 'sara',
      installationId: '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11',
      eventName: 'AddToCart',
      eventTime: 1_794_700_800_000,
      eventData: { sku: 'A-17', value: 12.5 },
    },
  },
})
