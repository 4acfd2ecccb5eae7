import Type, { type Static } from 'typebox'
import type { Event } from '../events.ts'
import type { Alert } from '../operations/alerts.ts'
import { defineEndpoint } from '../schema/endpoint.ts'
import type { Checklist } from './checklist.ts'
import type { MessageCounts, MessageLine } from './messages.ts'

/** What the live stream can tell: each is the name of a server-sent event, its data is JSON. */
export const liveTopics = ['messages', 'message', 'events', 'alerts', 'checklist'] as const
export type LiveTopic = (typeof liveTopics)[number]

/** Each event brings what has changed since the one before; the first one after connecting, everything there is. */
export interface LiveData {
  /** Of the latest messages and those under way. */
  messages: MessageLine[]
  /** Of the message that is watched, when it is. */
  message: MessageCounts & { id: string }
  /** The newest first. */
  events: Static<typeof Event>[]
  /** All that are open, whenever one of them changes. */
  alerts: Static<typeof Alert>[]
  /** Whenever a step is done, or another device is the newest. */
  checklist: Checklist
}

export const panelLive = defineEndpoint({
  summary: 'Be told what changes, as it changes',
  description:
    'Server-sent events, named after the topics. What a reader is too slow for is left out: the next event has the latest.',
  group: 'Panel: live',
  query: Type.Object({
    topics: Type.String({
      maxLength: 100,
      description: `Some of ${liveTopics.join(', ')}, with commas.`,
      expected: `some of ${liveTopics.join(', ')}, with commas`,
    }),
    message: Type.Optional(Type.String({ description: 'The id of the message that is watched.' })),
  }),
  answer: Type.String({ description: 'text/event-stream' }),
  example: { query: { topics: 'messages,alerts' }, answer: 'event: alerts\ndata: []\n\n' },
})
