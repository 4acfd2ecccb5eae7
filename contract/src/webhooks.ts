import Type, { type Static, type TSchema } from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'

const group = 'Webhooks'

const optionalText = (description: string) => Type.Optional(Type.String({ description }))

/** Which message on which installation, and whose. */
const aboutDelivery = {
  messageId: Type.String(),
  trackId: optionalText('The campaign.'),
  clientId: optionalText('What the sender gave as clientId.'),
  userId: Type.String(),
  installationId: Type.String(),
  deviceType: Type.String({ description: 'android, ios, web …' }),
}

/** Which message of those that go later. */
const aboutScheduled = {
  messageId: Type.String(),
  trackId: optionalText('The campaign.'),
  clientId: optionalText('What the sender gave as clientId.'),
  seriesId: optionalText('The series it is an occurrence of.'),
  sendAt: Type.Integer({ description: 'When it starts; epoch milliseconds.' }),
  localTime: Type.Optional(
    Type.Object(
      { local: Type.String(), zone: Type.Optional(Type.String()), late: Type.String() },
      { description: 'Given when each user gets it at this time on their own clock.' },
    ),
  ),
}

const aboutInstallation = {
  installationId: Type.String(),
  deviceType: Type.String(),
  userId: Type.String(),
}

/** What a webhook can be told, and what is in `data` then. */
export const webhookBodies = {
  'message.delivered': Type.Object(aboutDelivery),
  'message.opened': Type.Object(aboutDelivery),
  'message.action': Type.Object({ ...aboutDelivery, actionId: Type.String({ description: 'Which button.' }) }),
  'message.dismissed': Type.Object(aboutDelivery),
  'message.failed': Type.Object({
    ...aboutDelivery,
    reason: Type.String({ description: 'Why the delivery ended, such as gone, refused or expired.' }),
    detail: optionalText('What the provider said.'),
  }),
  'message.winner': Type.Object({
    messageId: Type.String(),
    trackId: optionalText('The campaign.'),
    variant: Type.String({ description: 'What those get who were not in the test.' }),
    why: Type.String({ description: 'best, or tie or notEnoughData, when it is what was to be sent otherwise.' }),
  }),
  'message.scheduled': Type.Object({
    ...aboutScheduled,
    count: Type.Integer({ description: 'Installations it would go to now.' }),
  }),
  'message.started': Type.Object(aboutScheduled),
  'message.capped': Type.Object({
    messageId: Type.String(),
    trackId: optionalText('The campaign.'),
    clientId: optionalText('What the sender gave as clientId.'),
    count: Type.Integer({ description: 'Deliveries that a cap has ended since the message was told of last.' }),
  }),
  'installation.new': Type.Object({ ...aboutInstallation, isGuest: Type.Boolean() }),
  'installation.uninstalled': Type.Object({
    ...aboutInstallation,
    isChurn: Type.Boolean({ description: 'It was the last installation of the user.' }),
  }),
  'user.new': Type.Object({ userId: Type.String() }),
  'campaign.finished': Type.Object({
    messageId: Type.String(),
    trackId: optionalText('The campaign.'),
    recipients: Type.Integer({ description: 'Installations it went to.' }),
    counts: Type.Optional(
      Type.Record(Type.String(), Type.Integer(), { description: 'Deliveries by state or reason.' }),
    ),
  }),
  'promo.low': Type.Object({
    promoSetId: Type.String(),
    trackId: optionalText('The campaign; absent for the global set.'),
    codes: Type.Integer({ description: 'Codes that could be given when the set was uploaded.' }),
    left: Type.Integer({ description: 'Codes that can still be given.' }),
  }),
} as const satisfies Record<string, TSchema>

export type WebhookEvent = keyof typeof webhookBodies
export type WebhookBody<Kind extends WebhookEvent> = Static<(typeof webhookBodies)[Kind]>

export const webhookEvents = Object.keys(webhookBodies) as WebhookEvent[]

const oneEvent = { expected: `one of ${webhookEvents.join(', ')}` }
const Event = Type.Unsafe<WebhookEvent>(
  Type.Union(
    webhookEvents.map((event) => Type.Literal(event, oneEvent)),
    oneEvent,
  ),
)
const Events = Type.Array(Event, {
  minItems: 1,
  maxItems: 50,
  expected: `an array of ${webhookEvents.join(', ')}`,
  description: `What it is told of: ${webhookEvents.map((event) => `\`${event}\``).join(', ')}.`,
})

const Url = Type.String({
  minLength: 1,
  maxLength: 2_000,
  expected: 'an https URL',
  description: 'Where it is told: an https URL whose host has a public address. In development also http on localhost.',
})

const Webhook = Type.Object({
  id: Type.String(),
  url: Type.String(),
  events: Type.Array(Event),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  isEnabled: Type.Boolean(),
  disabledReason: optionalText('Why it is not called any more.'),
  failingSince: Type.Optional(Type.Integer({ description: 'No call has succeeded since then; epoch milliseconds.' })),
  waiting: Type.Integer({ description: 'Calls that are still to be made or repeated.' }),
  retryAt: Type.Optional(
    Type.Integer({ description: 'When the next of those that failed is repeated; epoch milliseconds.' }),
  ),
})

export type Webhook = Static<typeof Webhook>

const Secret = Type.String({ description: 'The key of the signatures. It is shown this once.' })

const Id = Type.Object({ id: Type.String({ minLength: 1, expected: 'the id of a webhook' }) })

const Attempt = Type.Object({
  at: Type.Integer({ description: 'Epoch milliseconds.' }),
  eventId: Type.String({ description: 'The Peyk-Webhook-Id of the call.' }),
  type: Type.String(),
  status: Type.Optional(Type.Integer({ description: 'The HTTP status, when an answer came.' })),
  detail: Type.String(),
  tookMs: Type.Integer(),
})

export type WebhookAttempt = Static<typeof Attempt>

const webhook = {
  id: '019a8c7e-2f60-7c44-9a55-0c8e3a1f7b21',
  url: 'https://shop.example.com/hooks/peyk',
  events: ['message.opened', 'installation.uninstalled'],
  createdAt: 1_794_700_800_000,
  isEnabled: true,
  waiting: 0,
}
const body = { url: webhook.url, events: webhook.events }
const params = { id: webhook.id }
const secret = 'whsec_5c1f0f9ab2d84e7799c1b5a3f0de6c48a9317b20dd54e1f6c83b7a9e02415d6f'

export const createWebhook = defineEndpoint({
  summary: 'Add a webhook',
  description: `
Another system is told what happens: \`POST\` with \`{"id", "type", "createdAt", "app", "data"}\`. What \`data\` holds depends on \`type\` and is listed in docs/guides/webhooks.md.

- \`Peyk-Webhook-Id\`: the event's id, the same at every repetition. The same event may come twice; take it once.
- \`Peyk-Webhook-Timestamp\`: seconds since 1970 when this call was made.
- \`Peyk-Webhook-Signature\`: \`v1=\` and the HMAC-SHA256, in hex, of \`<id>.<timestamp>.<body>\` under the secret.

A 2xx within 10 seconds is success. Anything else, a redirect too, is tried again for a day, later each time; \`Retry-After\` is honoured. A webhook that has failed for a whole day is disabled, and an alert is raised.
`.trim(),
  group,
  body: Type.Object({ url: Url, events: Events }),
  answer: Type.Object({ ...Webhook.properties, secret: Secret }),
  example: { body, answer: { ...webhook, secret } },
})

export const listWebhooks = defineEndpoint({
  summary: 'List the webhooks',
  group,
  answer: Type.Array(Webhook),
  example: { answer: [webhook] },
})

export const getWebhook = defineEndpoint({
  summary: 'Read a webhook',
  group,
  params: Id,
  answer: Webhook,
  example: { params, answer: webhook },
})

export const replaceWebhook = defineEndpoint({
  summary: 'Change the address or the events of a webhook',
  description: 'Calls that wait go to the new address. The secret stays.',
  group,
  params: Id,
  body: Type.Object({ url: Url, events: Events }),
  answer: Webhook,
  example: { params, body, answer: webhook },
})

export const replaceWebhookSecret = defineEndpoint({
  summary: 'Give a webhook a new secret',
  description: 'The next call is signed with it.',
  group,
  params: Id,
  answer: Type.Object({ id: Type.String(), url: Type.String(), secret: Secret }),
  example: { params, answer: { id: webhook.id, url: webhook.url, secret } },
})

export const enableWebhook = defineEndpoint({
  summary: 'Enable a webhook that was disabled',
  description: 'Calls that were still waiting when it was disabled are made.',
  group,
  params: Id,
  answer: Webhook,
  example: { params, answer: webhook },
})

export const deleteWebhook = defineEndpoint({
  summary: 'Delete a webhook',
  description: 'With its calls that wait and its log.',
  group,
  params: Id,
  answer: Type.Object({ id: Type.String(), url: Type.String() }),
  example: { params, answer: { id: webhook.id, url: webhook.url } },
})

export const testWebhook = defineEndpoint({
  summary: 'Call a webhook now',
  description: 'Sends an event of the type `ping`, once, and says what came of it. A disabled webhook is called too.',
  group,
  params: Id,
  answer: Type.Object({
    isSuccess: Type.Boolean(),
    status: Type.Optional(Type.Integer({ description: 'The HTTP status, when an answer came.' })),
    detail: Type.String(),
    tookMs: Type.Integer(),
  }),
  example: { params, answer: { isSuccess: true, status: 204, detail: 'answered 204', tookMs: 38 } },
})

export const webhookAttempts = defineEndpoint({
  summary: 'Read the log of a webhook, newest first',
  description: 'Every call of the past seven days and what came of it.',
  group,
  params: Id,
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        expected: 'a whole number from 1 to 1000',
        description: '100 by default.',
      }),
    ),
    cursor: Type.Optional(Type.String({ minLength: 1, description: 'Of the page before.' })),
  }),
  answer: Type.Object({
    data: Type.Array(Attempt),
    cursor: Type.Optional(Type.String({ description: 'For the next page, when there is one.' })),
  }),
  example: {
    params,
    query: { limit: '1' },
    answer: {
      data: [
        {
          at: 1_794_700_812_345,
          eventId: '019a8c7f-9c11-7d20-8e44-1b7a3f6c2d90',
          type: 'message.opened',
          status: 500,
          detail: 'answered 500; next try in 32 s',
          tookMs: 112,
        },
      ],
      cursor: 'MTc5NDcwMDgxMjM0NSAwMTlhOGM3Zi05YzExLTdkMjAtOGU0NC0xYjdhM2Y2YzJkOTA',
    },
  },
})
