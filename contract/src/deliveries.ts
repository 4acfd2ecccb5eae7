import Type from 'typebox'
import { InFlight } from './messages.ts'
import { defineEndpoint } from './schema/endpoint.ts'

const params = Type.Object({ id: Type.String({ description: 'The id that the send answered.' }) })
const id = '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10'

export const pauseMessage = defineEndpoint({
  summary: 'Pause a message',
  description:
    'Takes effect within a second. What is not sent yet, and what no device has read from its inbox yet, waits until it is resumed or expires. `paused` is false when nothing is left to hold back.',
  group: 'Messages',
  params,
  answer: Type.Object({
    id: Type.String(),
    paused: Type.Boolean(),
    waiting: Type.Integer({ description: 'Installations that have to wait now.' }),
    inFlight: InFlight,
  }),
  example: { params: { id }, answer: { id, paused: true, waiting: 1200, inFlight: 0 } },
})

export const resumeMessage = defineEndpoint({
  summary: 'Resume a paused message',
  group: 'Messages',
  params,
  answer: Type.Object({ id: Type.String(), paused: Type.Boolean() }),
  example: { params: { id }, answer: { id, paused: false } },
})

export const heldUninstalls = defineEndpoint({
  summary: 'List uninstalls that are held back',
  description:
    'When a provider calls more than a fifth of a batch gone, its installations are not removed before somebody has looked.',
  group: 'Installations and users',
  answer: Type.Array(
    Type.Object({
      provider: Type.String(),
      count: Type.Integer({ description: 'Installations.' }),
      since: Type.Integer({ description: 'Epoch milliseconds.' }),
    }),
  ),
  example: { answer: [{ provider: 'fcm', count: 412, since: 1_794_700_800_000 }] },
})

export const settleHeldUninstalls = defineEndpoint({
  summary: 'Decide about uninstalls that are held back',
  group: 'Installations and users',
  params: Type.Object({ provider: Type.String({ description: '`fcm`, `apns` or `webpush`.' }) }),
  body: Type.Object({
    decision: Type.Union([Type.Literal('apply'), Type.Literal('discard')], {
      expected: '"apply" (they are gone) or "discard" (it was a mistake)',
    }),
  }),
  answer: Type.Object({ count: Type.Integer({ description: 'Installations that were removed, or are kept.' }) }),
  example: { params: { provider: 'fcm' }, body: { decision: 'discard' }, answer: { count: 412 } },
})
