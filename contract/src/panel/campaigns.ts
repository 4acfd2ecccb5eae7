import Type, { type Static } from 'typebox'
import {
  countsOf,
  type DeliveryReason,
  type DeliveryState,
  deliveryReasons,
  deliveryStates,
  Influenced,
  noneOf,
} from '../delivery-words.ts'
import { type AnswerOf, defineEndpoint } from '../schema/endpoint.ts'
import { panelMessages } from './messages.ts'
import { PromoSet, promoSetExample } from './promo.ts'

const group = 'Panel: campaigns'

const States = Type.Unsafe<Record<DeliveryState, number>>(countsOf(deliveryStates))
const Reasons = Type.Unsafe<Record<DeliveryReason, number>>(countsOf(deliveryReasons))

export const CampaignLine = Type.Object({
  trackId: Type.String(),
  name: Type.String(),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  messages: Type.Integer({ description: 'Messages sent with this trackId.' }),
  isMore: Type.Boolean({ description: 'There are more messages than the 200 latest ones that were counted.' }),
  count: Type.Integer({ description: 'Deliveries: the installations of each message, added up.' }),
  lastMessageAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  states: States,
  influenced: Influenced,
  codesLeft: Type.Optional(Type.Integer({ description: 'Absent when the campaign has no codes of its own.' })),
  isLow: Type.Optional(Type.Boolean()),
})
export type CampaignLine = Static<typeof CampaignLine>

const states = { ...noneOf(deliveryStates), sent: 47_900, delivered: 41_022, shown: 40_871, opened: 5_310, ended: 310 }
const influenced = { events: 1_204, directEvents: 610, revenue: { EUR: 18_403.5 } }
const line = {
  trackId: 'nowruz-sale',
  name: 'Nowruz sale',
  createdAt: 1_794_700_800_000,
  messages: 3,
  count: 48_210,
  lastMessageAt: 1_794_787_200_000,
  states,
  influenced,
}

export const panelCampaigns = defineEndpoint({
  summary: 'List campaigns with what became of their messages, newest first',
  group,
  query: Type.Object({
    search: Type.Optional(
      Type.String({ maxLength: 255, expected: 'a part of a name or trackId, of at most 255 characters' }),
    ),
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 50,
        expected: 'a whole number from 1 to 50',
        description: '25 by default.',
      }),
    ),
  }),
  answer: Type.Object({
    at: Type.Integer({ description: 'When all of these were counted. Epoch milliseconds.' }),
    data: Type.Array(CampaignLine),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: {
    query: { limit: '25' },
    answer: { at: 1_794_800_000_000, data: [{ ...line, isMore: false, codesLeft: 201_778, isLow: false }] },
  },
})
export type CampaignLines = AnswerOf<typeof panelCampaigns>

export const CampaignDetail = Type.Object({
  at: Type.Integer({ description: 'When everything here was counted. Epoch milliseconds.' }),
  reached: Type.Optional(
    Type.Object(
      {
        devices: Type.Integer({ description: 'Installations that were handed at least one of its messages.' }),
        users: Type.Integer({ description: 'Users who have at least one of them now.' }),
      },
      {
        description:
          'Absent if that cannot be counted: above 200,000 deliveries, or if some of its messages are no longer kept.',
      },
    ),
  ),
  lines: Type.Object(panelMessages.answer.properties, {
    description: 'Its latest messages, counted at the same moment.',
  }),
  trackId: Type.String(),
  name: Type.String(),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  messages: Type.Integer({ description: 'Messages sent with this trackId, also those that are no longer kept.' }),
  count: Type.Integer({ description: 'Deliveries: the installations of each message, added up.' }),
  lastMessageAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
  states: States,
  reasons: Reasons,
  influenced: Influenced,
  promo: Type.Optional(PromoSet),
  globalLeft: Type.Optional(Type.Integer({ description: 'Codes of the global set; absent when there is none.' })),
})
export type CampaignDetail = Static<typeof CampaignDetail>

export const panelCampaign = defineEndpoint({
  summary: 'Read a campaign, its sums and its promo codes',
  group,
  params: Type.Object({ trackId: Type.String() }),
  answer: CampaignDetail,
  example: {
    params: { trackId: 'nowruz-sale' },
    answer: {
      ...line,
      at: 1_794_800_000_000,
      reached: { devices: 39_120, users: 31_004 },
      lines: { at: 1_794_800_000_000, data: [] },
      reasons: { ...noneOf(deliveryReasons), gone: 298, refused: 12 },
      promo: promoSetExample,
      globalLeft: 999_682,
    },
  },
})
