import Type, { type Static } from 'typebox'
import { DryRun } from '../dry-run.ts'
import { AnyNotification, SendAt } from '../message-body.ts'
import { Repeat } from '../schedule/repeat.ts'
import { defineEndpoint } from '../schema/endpoint.ts'
import { TemplateFault } from '../schema/template-fault.ts'
import { WantedValue } from '../schema/values.ts'
import { InstallationId, UserId } from '../schema/words.ts'
import { DraftId } from './drafts.ts'

const group = 'Panel: send'

const Product = Type.Union([Type.Literal('message'), Type.Literal('notification')], {
  expected: '"message" or "notification"',
  description: '`message` waits for the device until it expires; `notification` is only shown.',
})

/** A message as the panel composes it: exactly one of `user`, `users`, `target` and `segment` says who receives it. */
const { templateId: _, ...composedFields } = AnyNotification.properties
const Composed = Type.Object({ product: Product, ...composedFields })
export type ComposedMessage = Static<typeof Composed>

const Unusual = Type.Object(
  {
    largest: Type.Integer({ description: 'The most installations that a group message of the last 30 days went to.' }),
    isEverybody: Type.Boolean(),
  },
  { description: 'Given when a person should look twice: everybody, or far more than lately.' },
)

const Some = Type.Object({ count: Type.Integer(), first: Type.Array(Type.String(), { description: 'Up to 20.' }) })

const ReceiverCount = Type.Object({
  count: Type.Integer({ description: 'Installations.' }),
  users: Type.Optional(
    Type.Integer({ description: 'Users who have at least one of them; not counted beyond 50,000 installations.' }),
  ),
  unknown: Type.Optional(Some),
  unreached: Type.Optional(Some),
  unusual: Type.Optional(Unusual),
})
export type ReceiverCount = Static<typeof ReceiverCount>

const { user, users, target, segment, channel, live } = AnyNotification.properties

const Receivers = Type.Object({ product: Product, user, users, target, segment, channel, live })

export const panelCountReceivers = defineEndpoint({
  summary: 'Count who would receive a message',
  description:
    'Of named users also those that nobody has heard of (`unknown`) and those without an installation that would receive it (`unreached`).',
  group,
  body: Receivers,
  answer: ReceiverCount,
  example: {
    body: { product: 'message', users: ['sara', 'nobody'] },
    answer: { count: 2, users: 1, unknown: { count: 1, first: ['nobody'] }, unreached: { count: 0, first: [] } },
  },
})

const SendPlan = Type.Object({
  dryRun: DryRun,
  needsApproval: Type.Optional(
    Type.Boolean({
      description:
        'Another member has to approve it: it goes to more than `approvalAbove` of the app, or to a group at a later time.',
    }),
  ),
  unknown: Type.Optional(Some),
  unreached: Type.Optional(Some),
  unusual: Type.Optional(Unusual),
})
export type SendPlan = Static<typeof SendPlan>

const sale = {
  product: 'message',
  target: {},
  content: 'The sale has started',
  notification: { title: 'Sale', body: 'Everything at half price' },
}

export const panelPlanSend = defineEndpoint({
  summary: 'See what a send would do',
  description: 'Of named users also those whom it does not reach, as the count of receivers has them.',
  group,
  body: Composed,
  answer: SendPlan,
  example: {
    body: sale,
    answer: {
      dryRun: {
        dryRun: true,
        count: 5321,
        outcomes: [{ path: 'fcm', why: 'its token is one of fcm', code: 'token', provider: 'fcm', count: 5321 }],
        samples: [],
        faults: [],
        faultCodes: [],
      },
      unusual: { largest: 1200, isEverybody: true },
    },
  },
})

export const panelMoments = defineEndpoint({
  summary: 'See when a message that repeats would go',
  group,
  body: Type.Object({ repeat: Repeat, sendAt: Type.Optional(SendAt) }),
  answer: Type.Object({
    next: Type.Array(Type.Integer(), { description: 'The first moments, five at most, in epoch milliseconds.' }),
  }),
  example: {
    body: { repeat: { rule: 'FREQ=WEEKLY;BYDAY=MO,TH', zone: 'Asia/Tehran' }, sendAt: 1_794_807_000_000 },
    answer: { next: [1_794_807_000_000, 1_795_066_200_000] },
  },
})

export const panelSend = defineEndpoint({
  summary: 'Send a message',
  description:
    'Up to 10 named users are a personal send. `confirmed` is the number that the member has seen: when the audience has grown far beyond it since, nothing is sent. The draft that `draftId` names is deleted with it.',
  group,
  body: Type.Object({
    ...Composed.properties,
    confirmed: Type.Integer({ minimum: 0 }),
    draftId: Type.Optional(DraftId),
  }),
  answer: Type.Object({
    id: Type.String(),
    count: Type.Integer(),
    seriesId: Type.Optional(Type.String({ description: 'Of a message with `repeat`.' })),
    approval: Type.Optional(
      Type.Literal('waiting', {
        description: 'Nothing was sent: `id` is of the request that another member approves.',
      }),
    ),
  }),
  example: {
    body: { ...sale, confirmed: 5321 },
    answer: { id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10', count: 5321 },
  },
})

export const panelTestSend = defineEndpoint({
  summary: 'Send a message to chosen devices as a test',
  description:
    'Each device gets it as it would be written for its user, with a sample in the place of a promo code. It belongs to no campaign and brings no SMS; its `clientId` is `panel-test`.',
  group,
  body: Type.Object({
    ...Composed.properties,
    installationIds: Type.Array(InstallationId, { minItems: 1, maxItems: 10, expected: '1 to 10 installation ids' }),
  }),
  answer: Type.Object({
    count: Type.Integer({ description: 'Devices.' }),
    sent: Type.Array(Type.Object({ id: Type.String(), installationId: Type.String(), userId: Type.String() })),
  }),
  example: {
    body: {
      product: 'message',
      content: 'The sale has started',
      installationIds: ['8a1cbd6e-31c5-4d5c-9f1a-0e6a6a0a8a11'],
    },
    answer: {
      count: 1,
      sent: [
        {
          id: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
          installationId: '8a1cbd6e-31c5-4d5c-9f1a-0e6a6a0a8a11',
          userId: 'sara',
        },
      ],
    },
  },
})

const RenderedTexts = Type.Object({
  texts: Type.Array(
    Type.Object({
      field: Type.String({ description: 'Such as "notification.title".' }),
      text: Type.Optional(Type.String()),
      fault: Type.Optional(Type.String({ description: 'Why it cannot be written for this user.' })),
      reason: Type.Optional(TemplateFault),
    }),
    { description: 'Of the texts that are templates.' },
  ),
})
export type RenderedTexts = Static<typeof RenderedTexts>

const For = Type.Object({
  userId: UserId,
  language: Type.Optional(
    Type.String({
      maxLength: 64,
      description: 'One of the message’s languages, or `default`; that of the user’s device unless given.',
    }),
  ),
  variant: Type.Optional(
    Type.String({ maxLength: 64, description: 'One of the message’s variants; its first one unless given.' }),
  ),
})

export const panelRenderMessage = defineEndpoint({
  summary: 'Write a message’s texts for one user',
  group,
  body: Type.Object({ ...Composed.properties, for: For }),
  answer: RenderedTexts,
  example: {
    body: { product: 'message', content: 'Dear {{ user.firstName | default: "friend" }}', for: { userId: 'sara' } },
    answer: { texts: [{ field: 'content', text: 'Dear Sara' }] },
  },
})

export const panelWantedValues = defineEndpoint({
  summary: 'Which values a message asks for',
  group,
  body: Composed,
  answer: Type.Object({ values: Type.Array(WantedValue) }),
  example: {
    body: { product: 'message', content: 'Order {{ values.orderId }} comes {{ values.day | default: "soon" }}' },
    answer: {
      values: [
        { name: 'orderId', required: true },
        { name: 'day', required: false, fallback: 'soon' },
      ],
    },
  },
})

const SamplePerson = Type.Object({
  person: Type.Optional(
    Type.Object({ userId: Type.String(), installationId: Type.String(), deviceType: Type.String() }),
  ),
  attributes: Type.Array(
    Type.Object({
      name: Type.String(),
      kind: Type.String(),
      value: Type.Optional(Type.Unknown({ description: 'What it is for this user; absent when there is none.' })),
    }),
    { description: 'Names that the app’s attributes have, up to 500.' },
  ),
  look: Type.Object({
    name: Type.String(),
    notificationText: Type.Optional(Type.String()),
    icon: Type.Optional(Type.String()),
  }),
})
export type SamplePerson = Static<typeof SamplePerson>

export const panelSamplePerson = defineEndpoint({
  summary: 'A user to try texts on, and what templates may ask for',
  description:
    'The user named, or one of chance of those who would receive the message, or else of all. Without `person` there is no such user.',
  group,
  body: Type.Object({ userId: Type.Optional(UserId), among: Type.Optional(Receivers) }),
  answer: SamplePerson,
  example: {
    body: { among: { product: 'message', users: ['sara', 'omid'] } },
    answer: {
      person: { userId: 'sara', installationId: '8a1cbd6e-31c5-4d5c-9f1a-0e6a6a0a8a11', deviceType: 'android' },
      attributes: [{ name: 'firstName', kind: 'text', value: 'Sara' }],
      look: { name: 'Shop' },
    },
  },
})

const People = Type.Object({
  people: Type.Array(
    Type.Object({
      userId: Type.String(),
      devices: Type.Array(
        Type.Object({
          installationId: Type.String(),
          deviceType: Type.String(),
          clientVersion: Type.Optional(Type.String()),
          osVersion: Type.Optional(Type.String()),
          lastVisitAt: Type.Integer({ description: 'Epoch milliseconds.' }),
          canPush: Type.Boolean({ description: 'It has a push token and notifications are allowed.' }),
          isConnected: Type.Boolean(),
        }),
      ),
    }),
  ),
})
export type People = Static<typeof People>

export const panelFindPeople = defineEndpoint({
  summary: 'Find users by the beginning of their id, with their devices',
  description: 'Eight at most; without `search` those with the newest installations.',
  group,
  query: Type.Object({ search: Type.Optional(Type.String({ maxLength: 64 })) }),
  answer: People,
  example: {
    query: { search: 'sa' },
    answer: {
      people: [
        {
          userId: 'sara',
          devices: [
            {
              installationId: '8a1cbd6e-31c5-4d5c-9f1a-0e6a6a0a8a11',
              deviceType: 'android',
              clientVersion: '2.1.0',
              osVersion: '15',
              lastVisitAt: 1_794_700_800_000,
              canPush: true,
              isConnected: false,
            },
          ],
        },
      ],
    },
  },
})

const CodesLeft = Type.Object({
  campaign: Type.Optional(Type.Integer({ description: 'Left in the campaign’s own set; absent when it has none.' })),
  global: Type.Optional(Type.Integer({ description: 'Left in the global set; absent when there is none.' })),
})
export type CodesLeft = Static<typeof CodesLeft>

export const panelCodesLeft = defineEndpoint({
  summary: 'How many promo codes are left for a message',
  group,
  query: Type.Object({ trackId: Type.Optional(Type.String({ maxLength: 255 })) }),
  answer: CodesLeft,
  example: { query: { trackId: 'come-back' }, answer: { campaign: 412, global: 9200 } },
})
