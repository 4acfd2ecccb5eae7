import Type, { type Static } from 'typebox'
import { DeviceType } from './schema/device-type.ts'
import { defineEndpoint } from './schema/endpoint.ts'
import { Count, InstallationId, JsonObject, Moment, UserId, warningFields } from './schema/words.ts'

const group = 'Installations and users'
const noNul = '^[^\\u0000]*$'

const Kept = (description: string) => Type.Optional(Type.Unknown({ description: `${description} Stored as sent.` }))
const Word = (expected: string) => Type.String({ maxLength: 255, expected })
const Version = Type.Union([Type.String({ maxLength: 255 }), Type.Number()], {
  expected: 'a version such as "2.4.1", at most 255 characters',
})

/** Further fields are limited by their bytes; this allows more names than fit into them. */
const furtherFields = { maxProperties: 3_000, tooMany: 'fields' }

const installationFields = {
  userId: Type.Optional(
    Type.Union([UserId, Type.Literal('')], {
      expected: 'a user id of 1 to 64 characters without white space and without / \\ + * #',
      description: 'The user on this device. Without it the installation belongs to a guest.',
    }),
  ),
  isGuest: Type.Optional(Type.Boolean({ description: 'True: not logged in. A `userId` without it is a login.' })),
  userHash: Type.Optional(
    Type.String({
      description: 'HMAC-SHA256 of the user id in hex: needed to log in when the app verifies identities.',
    }),
  ),
  deviceToken: Type.Optional(
    Type.Union([Type.String({ maxLength: 8192 }), JsonObject], {
      expected: 'a push token of at most 8,192 characters',
      description:
        'An FCM or APNs token, or the JSON of a web push subscription. `disabled` and `NOT_EXIST` mean none. A token belongs to the installation that sent it last.',
    }),
  ),
  tokenStatus: Type.Optional(Word('a token status such as "ALLOWED"')),
  clientVersion: Type.Optional(Version),
  osVersion: Type.Optional(Version),
  language: Type.Optional(Word('a language such as "fa"')),
  timeZone: Type.Optional(Word('a time zone such as "Asia/Tehran"')),
  subscriptions: Type.Optional(
    Type.Array(
      Type.Refine(
        Type.String({ maxLength: 255, expected: 'a channel of at most 255 bytes' }),
        (value) => new TextEncoder().encode(value).length <= 255,
        () => 'must not be longer than 255 bytes',
      ),
      {
        maxItems: 200,
        tooMany: 'channels',
        description: 'Channels: `public/x` is public, a bare `x` the user’s own. Everybody is on `default`.',
      },
    ),
  ),
  launchCount: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 2147483647,
      expected: 'a whole number of visits',
      description: 'A number higher than the stored one is a visit.',
    }),
  ),
  launchTime: Type.Optional(Moment),
  installDate: Type.Optional(Moment),
  deviceModel: Kept('Model of the device.'),
  deviceManufacturer: Kept('Maker of the device.'),
  browserVersion: Kept('Version of the browser.'),
  appVersion: Kept('Version of the client library.'),
  connection: Kept('Kind of network.'),
  tokenErr: Kept('Why there is no token.'),
  newInstall: Kept('Whether the app was just installed.'),
  registerTs: Kept('When the client registered.'),
  realtime: Kept('Whether the client keeps a live connection.'),
  uniqueId: Kept('The client’s own id of the device.'),
}

const NewInstallation = Type.Object(
  {
    deviceType: DeviceType,
    ...installationFields,
    id: Type.Optional(
      Type.Unknown({ description: 'The id of an installation that registers again; it is updated then.' }),
    ),
  },
  {
    ...furtherFields,
    additionalProperties: true,
    description: 'Fields that are not named here are stored and returned.',
  },
)

const InstallationChange = Type.Object(
  { deviceType: Type.Optional(DeviceType), ...installationFields },
  {
    ...furtherFields,
    additionalProperties: true,
    description:
      'Only what is named is changed. Fields that are not named here are kept and given back. A `userId` is a login, `isGuest: true` a logout.',
  },
)

const Installation = Type.Object(
  {
    id: Type.String(),
    appId: Type.String(),
    userId: Type.String(),
    isGuest: Type.Boolean(),
    isLoggedIn: Type.Boolean(),
    deviceType: Type.String(),
    deviceToken: Type.Optional(Type.String()),
    tokenStatus: Type.Optional(Type.String()),
    clientVersion: Type.Optional(Type.String()),
    osVersion: Type.Optional(Type.String()),
    language: Type.Optional(Type.String()),
    timeZone: Type.Optional(Type.String()),
    subscriptions: Type.Array(Type.String()),
    launchCount: Type.Integer(),
    launchTime: Type.Integer({ description: 'The last visit, epoch milliseconds.' }),
    installDate: Type.Integer({ description: 'The first visit, epoch milliseconds.' }),
    created: Type.Integer({ description: 'When it registered, epoch milliseconds.' }),
    loginTime: Type.Optional(Type.Integer({ description: 'The last login, epoch milliseconds.' })),
    uninstalled: Type.Boolean(),
    uninstalledAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  },
  { additionalProperties: true, description: 'Has everything that the client sent.' },
)

const InstallationWithUser = Type.Object(
  {
    ...Installation.properties,
    userInfo: Type.Record(Type.String(), Type.Unknown(), {
      description:
        'The user’s attributes; those set on this installation win. For a client key of an app that does not verify identities: only what client keys have set.',
    }),
    tags: Type.Array(Type.String(), { description: 'The user’s tags.' }),
    tagValues: Type.Record(Type.String(), Type.String(), { description: 'The values of key/value tags.' }),
    connected: Type.Boolean({ description: 'The installation holds a live connection now.' }),
    isOpen: Type.Boolean({ description: 'It is connected and the app is in the foreground.' }),
  },
  { additionalProperties: true, description: 'Has everything that the client sent.' },
)
export type InstallationWithUser = Static<typeof InstallationWithUser>

const installationExample = {
  id: '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11',
  appId: 'demo',
  userId: 'ali',
  isGuest: false,
  isLoggedIn: true,
  deviceType: 'android',
  deviceToken: 'fcm-token',
  tokenStatus: 'ALLOWED',
  clientVersion: '2.4.1',
  osVersion: '15',
  language: 'fa',
  timeZone: 'Asia/Tehran',
  subscriptions: ['default', 'public/news'],
  launchCount: 3,
  launchTime: 1763164800000,
  installDate: 1762560000000,
  created: 1762560000412,
  loginTime: 1762560000412,
  uninstalled: false,
  deviceModel: 'Pixel 9',
}
const userExample = {
  ...installationExample,
  userInfo: { firstName: 'Ali', score: 12 },
  tags: ['city', 'vip'],
  tagValues: { city: 'tehran' },
  connected: true,
  isOpen: true,
}
const byId = { id: installationExample.id }

export const registerInstallation = defineEndpoint({
  summary: 'Register an installation',
  description:
    'With the `id` of a known installation it is updated. One address may make so many new ones with a client key in 10 minutes; beyond: 429 with `Retry-After`.',
  group,
  body: NewInstallation,
  answer: Installation,
  example: {
    body: { userId: 'ali', deviceType: 'android', deviceToken: 'fcm-token', clientVersion: '2.4.1', launchCount: 1 },
    answer: installationExample,
  },
})

export const updateInstallation = defineEndpoint({
  summary: 'Update an installation: visit, login, logout, subscriptions',
  group,
  params: Type.Object({ id: InstallationId }),
  body: InstallationChange,
  answer: Installation,
  example: { params: byId, body: { userId: 'ali', isGuest: false }, answer: installationExample },
})

export const getInstallation = defineEndpoint({
  summary: 'Read an installation with its user’s attributes and tags',
  group,
  params: Type.Object({ id: InstallationId }),
  answer: InstallationWithUser,
  example: { params: byId, answer: userExample },
})

export const installationById = defineEndpoint({ ...getInstallation, summary: 'Read an installation by its id' })

export const listInstallations = defineEndpoint({
  summary: 'Read several installations',
  description:
    'The filter is JSON: `{"where":{"id":{"inq":["…"]}}}`, or `userId` instead of `id`; a plain value instead of `inq` is one. A client key must name ids, and is answered those of the first one’s user.',
  group,
  query: Type.Object({
    filter: Type.String({ expected: 'a filter such as {"where":{"id":{"inq":["…"]}}}', pattern: noNul }),
  }),
  answer: Type.Array(InstallationWithUser),
  example: { query: { filter: `{"where":{"id":{"inq":["${installationExample.id}"]}}}` }, answer: [userExample] },
})

export const installationsOfUser = defineEndpoint({
  summary: 'Read all installations of a user',
  description: 'The newest login first; uninstalled ones are marked.',
  group,
  params: Type.Object({ userId: UserId }),
  answer: Type.Array(InstallationWithUser),
  example: { params: { userId: 'ali' }, answer: [userExample] },
})

export const unregisterInstallation = defineEndpoint({
  summary: 'Unregister an installation',
  description:
    'It counts as uninstalled, gives up its push token, and its connection is closed. An update, a new registration or a new connection brings it back.',
  group,
  params: Type.Object({ id: InstallationId }),
  answer: Count,
  example: { params: byId, answer: { count: 1 } },
})

export const updateDeviceToken = defineEndpoint({
  summary: 'Refresh the push token of an installation',
  group,
  body: Type.Object({
    installationId: InstallationId,
    deviceToken: Type.Union([Type.String({ maxLength: 8192 }), JsonObject], {
      expected: 'a push token of at most 8,192 characters',
    }),
    deviceType: Type.Optional(DeviceType),
    userId: Type.Optional(Type.Unknown({ description: 'Ignored: the installation knows its user.' })),
    createdAt: Type.Optional(Type.Unknown({ description: 'Ignored.' })),
  }),
  answer: Installation,
  example: {
    body: { installationId: byId.id, userId: 'ali', deviceToken: 'fcm-token', deviceType: 'android' },
    answer: installationExample,
  },
})

const EpochMs = Type.String({ pattern: '^-?[0-9]{1,16}$', expected: 'epoch milliseconds' })

export const uninstallReport = defineEndpoint({
  summary: 'Report uninstalls',
  description: '`type=churn` lists only users of whom no installation was left. `from` and `to` in either order.',
  group,
  params: Type.Object({ from: EpochMs, to: EpochMs }),
  query: Type.Object({
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, expected: 'a whole number from 1 to 1000', default: 25 }),
    ),
    offset: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 1000000000, expected: 'a whole number from 0', default: 0 }),
    ),
    type: Type.Optional(Type.Union([Type.Literal('churn'), Type.Literal('uninstall')])),
  }),
  answer: Type.Object({
    count: Type.Integer(),
    data: Type.Array(
      Type.Object({
        time: Type.String({ description: 'When it was noticed, in ISO 8601 (UTC).' }),
        installationId: Type.String(),
        deviceType: Type.String(),
        userId: Type.String(),
      }),
    ),
    ...warningFields(),
  }),
  example: {
    params: { from: '1762560000000', to: '1763164800000' },
    query: { type: 'churn' },
    answer: {
      count: 1,
      data: [{ time: '2025-11-13T00:00:00.000Z', installationId: byId.id, deviceType: 'ios', userId: 'sara' }],
    },
  },
})
