import Type from 'typebox'
import type { PathCode, TroubleReason } from './delivery-words.ts'
import { type DeliveryReason, type DetailCode, deliveryReasons, deliveryStates } from './delivery-words.ts'
import { defineEndpoint } from './schema/endpoint.ts'
import { UserId } from './schema/words.ts'

/** What a line of a delivery's story is about. */
export const timelineKinds = [
  'accepted',
  'matched',
  'not-matched',
  'language',
  'variant',
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

/** Sentences that need no values. */
export type PlainFact =
  | 'names-user'
  | 'everybody'
  | 'matched-then'
  | 'matches-only-now'
  | 'not-named'
  | 'live-not-connected'
  | 'logged-out'
  | 'not-own-then'
  | 'not-connected'
  | 'looked-for'
  | 'being-sent'
  | 'in-work-list'
  | 'waits-for-turn'
  | 'message-paused'
  | 'sending-stopped'
  | 'message-expired'
  | 'uninstalled'

/** One sentence of a story, for programs: what it says, and of what. `detail` is in somebody else’s words. */
export type TimelineFact =
  | { code: 'accepted'; product: 'message' | 'notification'; count: number }
  | { code: 'all-rules' | 'taken-up'; count: number }
  | { code: 'on-channel'; channel: string }
  /** `language`: of the message; `own`: that of the installation, where it has one. */
  | { code: 'language' | 'language-then'; language: string; own?: string }
  | { code: 'plain-texts'; own?: string }
  /** What the user was given of a message with variants; `variant-won` where they were not in its test. */
  | { code: 'variant' | 'variant-won'; variant: string }
  | { code: 'outside-channel'; channel: string; own: string[] }
  /** `sent`: the rule as it stands in the message, unless it is long. `values`: what the installation has, as JSON. */
  | { code: 'rule-fails'; rule: string; sent?: unknown; values: Record<string, string | null> }
  | { code: 'path' | 'path-now'; way: string; why?: PathCode; provider?: string; detail?: string }
  | { code: 'path-chosen'; why?: PathCode; provider?: string; detail?: string }
  | { code: 'not-providers'; providers: string[] }
  /** `fault`: it was not reached, and why; `detail` says it in words. */
  | { code: 'attempt'; provider: string; outcome: string; fault?: TroubleReason; detail?: string }
  /** It was not handed over at once; `until` in epoch milliseconds. */
  | { code: 'waited-for-quiet-hours'; from: string; to: string; zone: string; until: number }
  | { code: 'waited-for-cap'; count: number; window: string; by: string[]; until: number }
  /** Those who are not in the test; it was decided not before `until`. */
  | { code: 'waited-for-winner'; until: number }
  | { code: 'provider-accepted'; provider?: string; detail?: string }
  | { code: 'receipt'; receipt: string; actionId?: string }
  | { code: 'ended'; reason: DeliveryReason; because?: DetailCode; provider?: string; detail?: string }
  | { code: 'provider-paused'; provider: string; detail: string }
  | { code: 'installations'; count: number; sent: number; waiting: number; ended: number; none: number }
  | {
      code:
        | 'registered-later'
        | 'uninstalled-before'
        | 'logged-in-later'
        | 'in-inbox'
        | 'tried-again'
        | 'local-time'
        | 'expires'
      at: number
    }
  | { code: 'no-installations' | 'unknown-user'; user: string }
  | { code: PlainFact }

const Fact = Type.Unsafe<TimelineFact>(
  Type.Object(
    { code: Type.String() },
    {
      additionalProperties: true,
      description: 'What the text says, for programs: a code and its values, a sentence each.',
    },
  ),
)

export interface TimelineEntry {
  kind: (typeof timelineKinds)[number]
  text: string
  says: TimelineFact[]
  /** Epoch milliseconds; absent for what has no moment of its own. */
  at?: number
}

const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'

export const explainMessage = defineEndpoint({
  summary: 'Read the delivery history of a message for a user',
  description:
    'The ordered story of each of the user’s installations: whether the message was meant for it and by which rule, which way it took and why no other, every attempt with its answer, what the device reported, and what it waits for. Rules are tested on the installation as it is now. Texts are for people; programs go by `kind`, `state` and `reason`.',
  group: 'Messages',
  params: Type.Object({ id: Type.String({ description: 'The id that the send answered.' }) }),
  query: Type.Object({ user: UserId }),
  answer: Type.Object({
    messageId: Type.String(),
    user: Type.String(),
    text: Type.String({ description: 'A summary.' }),
    says: Type.Array(Fact),
    installations: Type.Array(
      Type.Object({
        installationId: Type.String(),
        deviceType: Type.String(),
        state: Type.Optional(Type.Enum(deliveryStates, { description: 'Absent when there is no delivery to it.' })),
        reason: Type.Optional(Type.Enum(deliveryReasons)),
        story: Type.Array(
          Type.Object({
            at: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
            kind: Type.Enum(timelineKinds),
            text: Type.String(),
            says: Type.Array(Fact),
          }),
        ),
      }),
    ),
    fallback: Type.Optional(
      Type.Object({
        state: Type.String({ description: '`waiting`, `cancelled`, `sending`, `sent`, or how it ended.' }),
        text: Type.String(),
        detail: Type.Optional(Type.String({ description: 'What the gateway said.' })),
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
      says: [{ code: 'installations', count: 1, sent: 1, waiting: 0, ended: 0, none: 0 }],
      installations: [
        {
          installationId: '7d4c2f0a-3f0e-4d1c-8a52-6b1f0c9e2d11',
          deviceType: 'android',
          state: 'opened',
          story: [
            {
              kind: 'accepted',
              text: 'The message was accepted, for 1 installation.',
              says: [{ code: 'accepted', product: 'message', count: 1 }],
              at: 1_794_700_800_000,
            },
            {
              kind: 'matched',
              text: 'The message names the user, who was logged in on this installation.',
              says: [{ code: 'names-user' }],
            },
            {
              kind: 'path',
              text: 'fcm: its token is one of fcm. Not apns and webpush: the token is not from there.',
              says: [
                { code: 'path', way: 'fcm', why: 'token', provider: 'fcm' },
                { code: 'not-providers', providers: ['apns', 'webpush'] },
              ],
            },
            {
              kind: 'attempt',
              text: 'fcm said to try again later: 503 UNAVAILABLE.',
              says: [{ code: 'attempt', provider: 'fcm', outcome: 'later', detail: '503 UNAVAILABLE' }],
              at: 1_794_700_800_031,
            },
            {
              kind: 'sent',
              text: 'fcm accepted it.',
              says: [{ code: 'provider-accepted', provider: 'fcm' }],
              at: 1_794_700_811_204,
            },
            {
              kind: 'receipt',
              text: 'It was opened.',
              says: [{ code: 'receipt', receipt: 'opened' }],
              at: 1_794_700_845_000,
            },
          ],
        },
      ],
    },
  },
})
