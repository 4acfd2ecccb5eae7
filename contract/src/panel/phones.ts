import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { JsonObject } from '../schema/words.ts'

const group = 'Panel: phones'
const params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100, expected: 'the id of a phone' }) })
const Text = (expected: string) => Type.String({ minLength: 1, maxLength: 255, expected })

const Platform = Type.Union([Type.Literal('android'), Type.Literal('ios'), Type.Literal('web')], {
  expected: 'android, ios or web',
})

const ShownNotification = Type.Object({
  messageId: Type.String(),
  title: Type.String(),
  body: Type.String(),
  icon: Type.Optional(Type.String()),
  image: Type.Optional(Type.String()),
  clickUrl: Type.Optional(Type.String()),
  tag: Type.Optional(Type.String({ description: 'A later notification with the same tag takes its place.' })),
  trackId: Type.Optional(Type.String()),
  actions: Type.Array(
    Type.Object({
      id: Type.String(),
      title: Type.String(),
      icon: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
    }),
  ),
  via: Type.String({ description: 'The way it came by: a provider, or `connection`.' }),
  shownAt: Type.Number({ description: 'Epoch milliseconds.' }),
  state: Type.String({ description: 'shown, opened, acted or dismissed' }),
})
export type PhoneNotification = Static<typeof ShownNotification>

const Phone = Type.Object({
  id: Type.String(),
  name: Type.String(),
  platform: Platform,
  provider: Type.String({ description: '`none`: it has the live connection only.' }),
  path: Type.String({ description: 'The way by which messages come to it, as it is now.' }),
  userId: Type.String(),
  installationId: Type.Union([Type.String(), Type.Null()]),
  permission: Type.String(),
  online: Type.Boolean(),
  installed: Type.Boolean(),
  app: Type.Union([Type.Literal('open'), Type.Literal('closed')]),
  connected: Type.Boolean(),
  connectionFault: Type.Union([Type.String(), Type.Null()]),
  notifications: Type.Array(ShownNotification, { description: 'The newest last.' }),
  messages: Type.Array(
    Type.Object({
      messageId: Type.String(),
      content: Type.String(),
      data: JsonObject,
      silent: Type.Boolean(),
      inApp: Type.Boolean(),
      receivedAt: Type.Number({ description: 'Epoch milliseconds.' }),
    }),
    { description: 'What the app itself received over the live connection, the newest last.' },
  ),
})
export type Phone = Static<typeof Phone>

const phone: Phone = {
  id: '07010b06-16f3-43ab-9772-e2e4b7092667',
  name: 'Android phone',
  platform: 'android',
  provider: 'fcm',
  path: 'fcm',
  userId: 'user-1',
  installationId: 'f69df805-5ecd-4494-b55c-0b1338bb00df',
  permission: 'allowed',
  online: true,
  installed: true,
  app: 'closed',
  connected: false,
  connectionFault: null,
  notifications: [],
  messages: [],
}

export const panelPhonesStream = defineEndpoint({
  summary: 'Watch the virtual phones',
  description: 'Server-sent events: `phones` with all, then `phone` with each that changed and `removed` with its id.',
  group,
  answer: Type.String({ description: 'text/event-stream' }),
  example: { answer: 'event: phones\ndata: []\n\n' },
})

export const panelAddPhone = defineEndpoint({
  summary: 'Add a virtual phone',
  group,
  body: Type.Object({
    platform: Platform,
    userId: Text('a user id'),
    provider: Type.Optional(Type.Literal('none', { expected: 'none, or nothing' })),
  }),
  answer: Phone,
  example: { body: { platform: 'android', userId: 'user-1' }, answer: phone },
})

export const panelRemovePhone = defineEndpoint({
  summary: 'Take a virtual phone away',
  group,
  params,
  answer: Type.Object({}),
  example: { params: { id: phone.id }, answer: {} },
})

export const phoneActs = [
  'tap',
  'dismiss',
  'action',
  'open',
  'close',
  'offline',
  'online',
  'uninstall',
  'reinstall',
] as const
export type PhoneAct = (typeof phoneActs)[number]

export const panelUsePhone = defineEndpoint({
  summary: 'Do something with a virtual phone',
  group,
  params,
  body: Type.Object({
    act: Type.Enum(phoneActs, { expected: `one of ${phoneActs.join(', ')}` }),
    messageId: Type.Optional(Text('the id of a message')),
    actionId: Type.Optional(Text('the id of an action')),
  }),
  answer: Phone,
  example: { params: { id: phone.id }, body: { act: 'offline' }, answer: { ...phone, online: false } },
})

const Crowd = Type.Object({
  size: Type.Integer({ description: 'How many simulated users the app is to have.' }),
  members: Type.Integer({ description: 'How many there are.' }),
  connected: Type.Integer({ description: 'How many of them hold a live connection.' }),
  pace: Type.Number({ description: 'How many times as fast as people they act; 0: they rest.' }),
})
export type Crowd = Static<typeof Crowd>

const crowd: Crowd = { size: 300, members: 300, connected: 24, pace: 1 }

export const panelCrowd = defineEndpoint({
  summary: 'The simulated users who live by themselves',
  group,
  answer: Crowd,
  example: { answer: crowd },
})

export const panelSetCrowd = defineEndpoint({
  summary: 'Let the simulated users act faster, slower or not at all',
  group,
  body: Type.Object({ pace: Type.Number({ minimum: 0, maximum: 100, expected: 'a number from 0 to 100' }) }),
  answer: Crowd,
  example: { body: { pace: 10 }, answer: { ...crowd, pace: 10 } },
})

/** What a simulated provider can be told to do. */
export const faultPresets = ['well', 'slow', 'busy', 'down', 'gone', 'cut'] as const
export type FaultPreset = (typeof faultPresets)[number]

const Mood = Type.Enum(faultPresets, { expected: `one of ${faultPresets.join(', ')}` })
export const simulatedProviders = ['fcm', 'apns', 'webpush', 'sms'] as const
export type SimulatedProvider = (typeof simulatedProviders)[number]

const MoodOfOne = Type.Optional(
  Type.Enum([...faultPresets, 'other'], {
    description: '`other`: somebody has told it something else through its own API.',
  }),
)
const Moods = Type.Object({ fcm: MoodOfOne, apns: MoodOfOne, webpush: MoodOfOne, sms: MoodOfOne })
export type FaultPresets = Static<typeof Moods>

const moods = { fcm: 'busy', apns: 'well', webpush: 'well', sms: 'well' }

export const panelFaultPresets = defineEndpoint({
  summary: 'What the simulated providers are told to do',
  group,
  answer: Moods,
  example: { answer: moods },
})

export const panelSetFaultPreset = defineEndpoint({
  summary: 'Tell a simulated provider to be slow, busy, down, or to say that every device is gone',
  group,
  params: Type.Object({
    provider: Type.Enum(simulatedProviders, { expected: `one of ${simulatedProviders.join(', ')}` }),
  }),
  body: Type.Object({ mood: Mood }),
  answer: Moods,
  example: { params: { provider: 'fcm' }, body: { mood: 'busy' }, answer: moods },
})
