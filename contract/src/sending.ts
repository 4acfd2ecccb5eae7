import Type, { type Static } from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'

const group = 'Messages'

const Sending = Type.Object({
  stopped: Type.Boolean(),
  since: Type.Optional(Type.Integer({ description: 'Epoch milliseconds: since when all sending is stopped.' })),
  by: Type.Optional(
    Type.String({
      description: 'Who stopped it: a member’s email address or the name of a token. Absent: the command line.',
    }),
  ),
  messages: Type.Integer({
    description: 'Messages of which something is still to be sent. Not those paused one by one.',
  }),
  devices: Type.Integer({ description: 'Devices that these still have to go to.' }),
  inFlight: Type.Integer({
    description: 'Devices being handed over at this moment; once all is stopped, those that a provider already has.',
  }),
  sms: Type.Integer({ description: 'SMS that wait until they are due.' }),
  more: Type.Optional(
    Type.Boolean({
      description: 'There is more than was counted: counting ends at 100,000 messages, and as many SMS.',
    }),
  ),
})
export type Sending = Static<typeof Sending>

const counts = { messages: 3, devices: 41_200, inFlight: 12, sms: 80 }
const stopped = { stopped: true, since: 1_794_700_800_000, by: 'mina@shop.example', ...counts }

export const getSending = defineEndpoint({
  summary: 'See whether all sending is stopped, and what is still to be sent',
  group,
  answer: Sending,
  example: { answer: stopped },
})

export const stopAllSending = defineEndpoint({
  summary: 'Stop all sending of the app at once',
  description: `Takes effect within a second; the answer waits until all processes have called back what no provider has, at most 3 seconds. What is sent
meanwhile is accepted and stored as ever, answers \`{id, count}\`, and waits: pushes, inboxes and SMS. Messages that expire meanwhile end as \`expired\`. Webhooks go on.

Asked again, it changes nothing and answers since when all is stopped.`,
  group,
  answer: Sending,
  example: { answer: stopped },
})

export const resumeAllSending = defineEndpoint({
  summary: 'Resume all sending of the app',
  description: `Answers what goes on now. Messages that were paused one by one stay paused. Live messages from before have ended as \`expired\`, and
an SMS waits for the rest of its delay, as if no time had passed.`,
  group,
  answer: Sending,
  example: { answer: { stopped: false, ...counts, inFlight: 0 } },
})
