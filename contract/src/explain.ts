import Type from 'typebox'
import { deliveryReasons, deliveryStates } from './delivery-words.ts'
import { defineEndpoint } from './endpoint.ts'
import { UserId } from './words.ts'

/** What a line of a delivery's story is about. */
export const storyKinds = [
  'accepted',
  'matched',
  'not-matched',
  'path',
  'attempt',
  'sent',
  'receipt',
  'paused',
  'expired',
  'waiting',
  'ended',
  'uninstalled',
] as const

export interface StoryEntry {
  kind: (typeof storyKinds)[number]
  text: string
  /** Epoch milliseconds; absent for what has no moment of its own. */
  at?: number
}

const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'

export const explainMessage = defineEndpoint({
  summary: 'Explain what became of a message on a user’s devices',
  description:
    'The ordered story of each of the user’s installations: whether the message was meant for it and by which rule, which way it took and why no other, every attempt with its answer, what the device reported, and what it waits for. Rules are tested on the installation as it is now. Texts are for people; programs go by `kind`, `state` and `reason`.',
  group: 'Messages',
  params: Type.Object({ id: Type.String({ description: 'The id that the send answered.' }) }),
  query: Type.Object({ user: UserId }),
  answer: Type.Object({
    messageId: Type.String(),
    user: Type.String(),
    text: Type.String({ description: 'The gist of it.' }),
    installations: Type.Array(
      Type.Object({
        installationId: Type.String(),
        deviceType: Type.String(),
        state: Type.Optional(Type.Enum(deliveryStates, { description: 'Absent when there is no delivery to it.' })),
        reason: Type.Optional(Type.Enum(deliveryReasons)),
        story: Type.Array(
          Type.Object({
            at: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
            kind: Type.Enum(storyKinds),
            text: Type.String(),
          }),
        ),
      }),
    ),
    fallback: Type.Optional(
      Type.Object({
        state: Type.String({ description: '`waiting`, `cancelled`, `sending`, `sent`, or how it ended.' }),
        text: Type.String(),
        dueAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
        updatedAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
        phone: Type.Optional(Type.String({ description: 'The last four digits.' })),
      }),
    ),
  }),
  example: {
    params: { id },
    query: { user: 'sara' },
    answer: {
      messageId: id,
      user: 'sara',
      text: 'Of 1 installation: sent to 1.',
      installations: [
        {
          installationId: '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11',
          deviceType: 'android',
          state: 'opened',
          story: [
            { kind: 'accepted', text: 'The message was accepted, for 1 installation.', at: 1_794_700_800_000 },
            { kind: 'matched', text: 'The message names the user, who was logged in on this installation.' },
            { kind: 'path', text: 'fcm: its token is one of fcm. Not apns and webpush: the token is none of theirs.' },
            { kind: 'attempt', text: 'fcm said to try again later: 503 UNAVAILABLE.', at: 1_794_700_800_031 },
            { kind: 'sent', text: 'fcm accepted it.', at: 1_794_700_811_204 },
            { kind: 'receipt', text: 'It was opened.', at: 1_794_700_845_000 },
          ],
        },
      ],
    },
  },
})
