import Type, { type Static } from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'

const group = 'Providers'

const providerNames = ['fcm', 'apns', 'webpush', 'sms'] as const
export type CredentialProviderName = (typeof providerNames)[number]

const ProviderWord = Type.Enum(providerNames, {
  description: '`fcm` (Android), `apns` (iOS), `webpush` (browsers) or `sms`.',
  expected: `one of ${providerNames.map((name) => `"${name}"`).join(', ')}`,
})

const params = Type.Object({ provider: ProviderWord })

// Unknown, so that no message about a wrong shape repeats a secret: the reader of each provider says what is wrong.
const field = (description: string) => Type.Optional(Type.Unknown({ description }))

const Sent = Type.Object({
  file: field('fcm, sms: the whole JSON file as a text or an object, instead of its fields beside the others here.'),
  privateKey: field('apns: the text of the .p8 file. webpush: 32 bytes as base64url.'),
  keyId: field('apns: the ten characters of the key id.'),
  teamId: field('apns: the ten characters of the team id.'),
  bundleId: field('apns: such as `com.example.shop`.'),
  environment: field('apns: `production` (App Store, TestFlight) or `sandbox` (run from Xcode).'),
  subject: field('webpush: `mailto:you@example.com` or `https://example.com`, for push services to contact you.'),
  publicKey: field('webpush: 65 bytes as base64url. Without a pair one is made, or the one there is stays.'),
  replace: field('webpush: `true` to replace the existing key pair. This ends every subscription.'),
  kind: field('sms: `twilio` or `http`.'),
  accountSid: field('sms, twilio: the Account SID.'),
  authToken: field('sms, twilio: the Auth Token.'),
  from: field('sms, twilio: the number or name that sends.'),
  messagingServiceSid: field('sms, twilio: instead of `from`.'),
  method: field('sms, http: `GET`, `POST` or `PUT`.'),
  url: field('sms, http: the address of the gateway; `{{to}}`, `{{text}}` and `{{reference}}` are filled in.'),
  headers: field('sms, http: headers to send.'),
  contentType: field('sms, http: `json`, `form` or `text`.'),
  body: field('sms, http: what to send; `{{to}}`, `{{text}}` and `{{reference}}` are filled in.'),
  success: field('sms, http: how to know success: `{statuses, path, equals, contains}`.'),
  dailyLimit: field('sms: SMS per day at most.'),
  simulated: field('`true` for credentials that the simulator issued; in development only.'),
  force: field(
    '`true` to store them although the provider does not take them, or cannot be asked while those that are stored work.',
  ),
})

/** What may be wrong with credentials that cannot be read. */
export const unreadableCodes = [
  'not-json',
  'field-missing',
  'field-form',
  'file-legacy-key',
  'file-xml',
  'file-android',
  'file-web',
  'file-other',
  'push-certificate',
  'key-type',
  'key-certificate',
  'key-public',
  'key-password',
  'key-none',
  'key-cut',
  'not-a-pair',
  'placeholder-missing',
  'placeholder-unknown',
  'placeholder-bare',
] as const

export const findingCodes = [
  'service-account',
  'apns-key',
  'production',
  'sandbox',
  'key-pair',
  'key-signs',
  'key-broken',
  'sms-http',
  'sms-twilio',
  'sms-limit',
  'taken',
  'pair-signs',
  'not-taken',
  'unasked',
  'paused',
  'undecryptable',
  ...unreadableCodes,
] as const

const Finding = Type.Object({
  ok: Type.Boolean(),
  text: Type.String({ description: 'In plain words: what was found and, where it is wrong, what to do.' }),
  code: Type.Optional(Type.Enum(findingCodes, { description: 'What the text says, for programs.' })),
  values: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description:
        'What it says it of. `detail` is in somebody else’s words. `fault`, where a provider was not reached: `name-not-found`, `connection-refused`, `timed-out`, `certificate` or `network`.',
    }),
  ),
})
export type Finding = Static<typeof Finding>

const Findings = Type.Array(Finding)

const WarningCode = Type.Enum(['unasked', 'stored-unasked', 'stored-by-force'], {
  description: 'What `warning` says, for programs.',
})

const CredentialCheck = Type.Object(
  {
    at: Type.Integer({ description: 'Epoch milliseconds.' }),
    result: Type.Enum(['taken', 'refused', 'unreached'], {
      description:
        '`taken`: the provider takes them. `refused`: it does not, or they are damaged. `unreached`: it could not be asked.',
    }),
    finding: Finding,
  },
  {
    description:
      'What came of the last check of these credentials. Missing when they were not checked: new ones begin without it.',
  },
)
export type CredentialCheck = Static<typeof CredentialCheck>

const Provider = Type.Object({
  provider: ProviderWord,
  simulated: Type.Boolean({ description: 'They belong to the simulator.' }),
  setAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  shown: Type.Record(Type.String(), Type.Unknown(), {
    description: 'The part that is no secret: a project, a key id, a public key.',
  }),
  paused: Type.Optional(
    Type.Object(
      { at: Type.Integer({ description: 'Epoch milliseconds.' }), reason: Type.String() },
      { description: 'Nothing is sent while it is set.' },
    ),
  ),
  check: Type.Optional(CredentialCheck),
})

export type Provider = Static<typeof Provider>

const fcm = {
  provider: 'fcm',
  simulated: false,
  setAt: 1_794_700_800_000,
  shown: {
    projectId: 'shop-1a2b3',
    clientEmail: 'firebase-adminsdk-x1y2z@shop-1a2b3.iam.gserviceaccount.com',
    privateKeyId: '5f0c2b9a1e5f0c2b9a1e5f0c2b9a1e5f0c2b9a1e',
  },
}
const apns = {
  provider: 'apns',
  simulated: false,
  setAt: 1_794_700_800_000,
  shown: { keyId: 'ABC123DEFG', teamId: 'DEF123GHIJ', bundleId: 'com.example.shop', environment: 'production' },
}
const findings = [
  { ok: true, text: 'The key ABC123DEFG of the team DEF123GHIJ can be read and signs.' },
  { ok: true, text: 'Apple takes it.' },
]

export const listProviders = defineEndpoint({
  summary: 'List the providers that have credentials',
  description: 'What is set, since when, and whether it is paused. Secrets are never shown.',
  group,
  answer: Type.Array(Provider),
  example: {
    answer: [
      {
        ...apns,
        check: { at: 1_794_700_800_000, result: 'taken', finding: findings[1] },
        paused: { at: 1_794_787_200_000, reason: 'Apple answered InvalidProviderToken.' },
      },
      fcm,
    ],
  },
})

export const setProvider = defineEndpoint({
  summary: 'Set the credentials of a provider',
  description: `The credentials are checked with the provider and stored encrypted; a paused provider resumes at once. Credentials that the provider refuses are not stored, and the answer says what is wrong, unless \`force\` is given. When the provider cannot be asked they are stored, with a \`warning\`; those that work are replaced by such only with \`force\`.

- \`fcm\`: the service account file, as it is: \`curl -X PUT --json @service-account.json …\`
- \`apns\`: \`privateKey\`, \`keyId\`, \`teamId\`, \`bundleId\`, \`environment\`
- \`webpush\`: \`subject\`; a key pair is created if there is none. An existing pair is kept, unless \`replace\` is given: another pair ends every subscription.
- \`sms\`: \`kind\` \`twilio\` with \`accountSid\`, \`authToken\`, \`from\`; or \`kind\` \`http\` with \`method\`, \`url\`, \`body\` …`,
  group,
  params,
  body: Type.Union([Sent, Type.Unknown()]),
  answer: Type.Object({
    ...Provider.properties,
    findings: Findings,
    warning: Type.Optional(Type.String()),
    warningCode: Type.Optional(WarningCode),
  }),
  example: {
    params: { provider: 'apns' },
    body: {
      ...apns.shown,
      privateKey: '-----BEGIN PRIVATE KEY-----\nMIGTAgEAMBMGByqGSM49…\n-----END PRIVATE KEY-----',
    },
    answer: { ...apns, findings },
  },
})

export const checkProvider = defineEndpoint({
  summary: 'Check the stored credentials of a provider',
  description: 'Nothing is sent to a device. The result is stored with the credentials, as `check`.',
  group,
  params,
  answer: Type.Object({
    ok: Type.Boolean({ description: 'The provider accepts them.' }),
    findings: Findings,
    warning: Type.Optional(Type.String({ description: 'The provider could not be asked.' })),
    warningCode: Type.Optional(WarningCode),
  }),
  example: { params: { provider: 'apns' }, answer: { ok: true, findings } },
})

export const resumeProvider = defineEndpoint({
  summary: 'Resume a paused provider',
  description: 'What waited is sent at once. It pauses again if the provider still refuses the credentials.',
  group,
  params,
  answer: Type.Object({
    provider: ProviderWord,
    wasPaused: Type.Boolean(),
    released: Type.Integer({ description: 'Batches of messages that waited.' }),
  }),
  example: { params: { provider: 'fcm' }, answer: { provider: 'fcm', wasPaused: true, released: 12 } },
})

export const removeProvider = defineEndpoint({
  summary: 'Remove the credentials of a provider',
  description:
    'Messages to its devices end as `no-provider`. `webpush` needs `force=true`: removing its key pair ends every subscription for good.',
  group,
  params,
  query: Type.Object({ force: Type.Optional(Type.Boolean({ expected: 'true or false' })) }),
  answer: Type.Object({ provider: ProviderWord }),
  example: { params: { provider: 'sms' }, query: {}, answer: { provider: 'sms' } },
})

export const webPushPublicKey = defineEndpoint({
  summary: 'Read the public key for web push',
  description: 'What a page gives to `pushManager.subscribe` as `applicationServerKey`.',
  group,
  answer: Type.Object({ publicKey: Type.String({ description: '65 bytes as base64url.' }) }),
  example: {
    answer: { publicKey: 'BNbN3OiAT2SfaP9pyhgnCMcWcJOzl4pBwMLo0pPLRWCdMmRWPcjlJYsOHiBJ6Rzu2nwhYmGyIKYpmQvGfXyzL6A' },
  },
})
