import Type, { type Static } from 'typebox'
import { deliveryReasons, pathCodes } from './delivery-words.ts'
import { warningFields } from './schema/words.ts'

const Provider = Type.Enum(['fcm', 'apns', 'webpush'])
const Platform = Type.Enum(['android', 'ios', 'web'])

const Outcome = Type.Object({
  path: Type.Enum(['fcm', 'apns', 'webpush', 'connection', 'inbox', 'ended']),
  reason: Type.Optional(Type.Enum(deliveryReasons)),
  why: Type.String({ description: 'In plain words.' }),
  code: Type.Enum(pathCodes, { description: 'What `why` says, for programs.' }),
  provider: Type.Optional(Provider),
  count: Type.Integer({ description: 'Installations.' }),
})

const Sample = Type.Object({
  provider: Provider,
  platform: Platform,
  installationId: Type.String(),
  userId: Type.String(),
  language: Type.Optional(
    Type.String({ description: 'Of a message with `contents`: which of its languages, or `default`.' }),
  ),
  variant: Type.Optional(Type.String({ description: 'Of a message with `variants`: which of them.' })),
  bytes: Type.Optional(Type.Integer({ description: 'The size as the provider counts it.' })),
  allowed: Type.Integer({ description: 'Bytes that the provider allows.' }),
  headers: Type.Optional(Type.Record(Type.String(), Type.String())),
  payload: Type.Optional(
    Type.Unknown({ description: 'What the provider would be given, without the device’s token.' }),
  ),
  fault: Type.Optional(Type.String({ description: 'Why it would be refused.' })),
})

export const dryRunFaults = [
  'nobody',
  'paused',
  'not-sent',
  'too-large',
  'refused',
  'no-codes',
  'no-sms-gateway',
  'sms-paused',
  'no-phone',
  'unknown-variable',
  'no-fallback',
  'unused-value',
  'too-slow',
] as const

const FaultCode = Type.Object({
  code: Type.Enum(dryRunFaults),
  count: Type.Optional(Type.Integer({ description: 'Installations; users where it is about codes or phone numbers.' })),
  provider: Type.Optional(Provider),
  platform: Type.Optional(Platform),
  language: Type.Optional(Type.String({ description: 'Of a message with `contents`.' })),
  variant: Type.Optional(Type.String({ description: 'Of a message with `variants`.' })),
  why: Type.Optional(Type.Enum(pathCodes)),
  bytes: Type.Optional(Type.Integer()),
  allowed: Type.Optional(Type.Integer()),
  detail: Type.Optional(Type.String({ description: 'The words of somebody else, such as a provider.' })),
  variable: Type.Optional(
    Type.String({
      description:
        'What a text asks for and no user, or not every recipient, has, such as `user.firstName`; or what was given and no text asks for, such as `values.orderId`.',
    }),
  ),
  suggestion: Type.Optional(Type.String({ description: 'What was probably meant instead.' })),
})

/** What a send would do. */
export const HourCount = Type.Object({
  at: Type.Integer({ description: 'The beginning of an hour (UTC), in epoch milliseconds.' }),
  count: Type.Integer({ description: 'Installations.' }),
})
export type HourCount = Static<typeof HourCount>

export const DryRun = Type.Object({
  dryRun: Type.Literal(true),
  count: Type.Integer({ description: 'Installations it would go to: what the send would answer.' }),
  outcomes: Type.Array(Outcome, { description: 'All installations that were looked at, each in one of them.' }),
  samples: Type.Array(Sample, {
    description:
      'Two for each provider and platform, for real recipients; of a message with `contents` or `variants` one for each of its wordings.',
  }),
  languages: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        'When the message has `contents`: how many installations would get it in which language; `default` are the plain texts.',
    }),
  ),
  takesSeconds: Type.Optional(
    Type.Integer({ description: 'How long it takes at the pace of `throttle`, from the first device to the last.' }),
  ),
  variants: Type.Optional(
    Type.Record(Type.String(), Type.Integer(), {
      description:
        'When the message has `variants` or `control`: how many installations are expected in which of them, and in `control`. Who exactly is decided when the message has its id. With a `winner` these are those of the test.',
    }),
  ),
  test: Type.Optional(
    Type.Object(
      {
        tested: Type.Integer({ description: 'Installations that are expected to get the test.' }),
        others: Type.Integer({ description: 'Those that wait for the winner.' }),
      },
      { description: 'When the message has a `winner`.' },
    ),
  ),
  sms: Type.Optional(
    Type.Object(
      {
        users: Type.Integer({ description: 'Users who get an SMS if they do not receive the message.' }),
        withPhone: Type.Integer({ description: 'Those of them whose phone number is known.' }),
      },
      { description: 'When there is a `fallback`.' },
    ),
  ),
  promo: Type.Optional(
    Type.Object(
      {
        needed: Type.Integer({ description: 'One code for each user.' }),
        campaignLeft: Type.Integer({ description: 'Codes that the campaign’s set still has.' }),
        globalLeft: Type.Integer({ description: 'Codes that the global set still has and the campaign’s has not.' }),
        missing: Type.Integer({ description: 'Users for whom there is no code: they get nothing.' }),
        sampleCode: Type.String({ description: 'Used in the samples. It looks like a code, but is not one.' }),
      },
      { description: 'When a text contains `{{ promoCode }}`. None is taken.' },
    ),
  ),
  category: Type.Optional(
    Type.String({
      description:
        'Its own, that of its template, or that of sends to groups of the app (`groupCategory`). Absent when it is transactional.',
    }),
  ),
  waiting: Type.Optional(
    Type.Object(
      {
        quietHours: Type.Integer({ description: 'Until their quiet hours end.' }),
        capped: Type.Integer({ description: 'Until a cap allows it, with `whenCapped: "wait"`.' }),
      },
      { description: 'When it has a category: installations that would not get it at once.' },
    ),
  ),
  ends: Type.Optional(
    Type.Object(
      {
        control: Type.Integer({ description: 'Their users are in the control group.' }),
        unsubscribed: Type.Integer({ description: 'Their users do not want the category.' }),
        capped: Type.Integer({ description: 'Their users have had as many messages as a cap allows.' }),
        expired: Type.Integer({ description: 'It would expire before their quiet hours end.' }),
      },
      { description: 'When it has a category: installations that would not get it.' },
    ),
  ),
  plan: Type.Optional(
    Type.Array(HourCount, { description: 'How many it would go to in which hour, when there is a `sendAt`.' }),
  ),
  next: Type.Optional(
    Type.Array(Type.Integer(), {
      description: 'When there is a `repeat`: the first occurrences, five at most, in epoch milliseconds.',
    }),
  ),
  faults: Type.Array(Type.String(), { description: 'What would go wrong, as text.' }),
  faultCodes: Type.Array(FaultCode, { description: 'What `faults` says, in its order, for programs.' }),
  ...warningFields(),
})
export type DryRun = Static<typeof DryRun>

export const DryRunQuery = Type.Object({
  dryRun: Type.Optional(
    Type.Boolean({
      expected: 'true or false',
      description:
        'Answers what the send would do: whom it reaches and how, sample payloads, what is missing. Nothing is sent or stored, and an idempotency key is ignored. For an array, the first 20 elements have samples.',
    }),
  ),
})
