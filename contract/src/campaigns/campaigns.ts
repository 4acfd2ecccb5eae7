import Type from 'typebox'
import { countsOf, deliveryReasons, deliveryStates, Influenced, noneOf } from '../delivery-words.ts'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Name } from '../schema/words.ts'

const group = 'Campaigns'

const Campaign = Type.Object({
  trackId: Type.String(),
  name: Type.String(),
  createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
})

const TrackId = Name('a trackId of 1 to 255 bytes')

const example = { trackId: 'nowruz-1406', name: 'Nowruz sale', createdAt: 1_794_700_800_000 }

export const createCampaign = defineEndpoint({
  summary: 'Create a campaign',
  description:
    'A campaign is a group sending known by its trackId. The first group send with a trackId creates it; creating it ahead lets promo codes be uploaded first.',
  group,
  body: Type.Object({
    trackId: TrackId,
    name: Type.Optional(Name('a name of 1 to 255 bytes')),
  }),
  answer: Campaign,
  example: { body: { trackId: 'nowruz-1406', name: 'Nowruz sale' }, answer: example },
})

export const listCampaigns = defineEndpoint({
  summary: 'List campaigns, newest first',
  group,
  query: Type.Object({
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        expected: 'a whole number from 1 to 1000',
        description: '100 by default.',
      }),
    ),
  }),
  answer: Type.Object({
    data: Type.Array(Campaign),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: { query: { limit: '50' }, answer: { data: [example] } },
})

export const getCampaign = defineEndpoint({
  summary: 'Read a campaign and the results of its messages',
  description:
    'Counts are sums over all its messages, also of those that are no longer kept; see a message’s own counts.',
  group,
  params: Type.Object({ trackId: TrackId }),
  answer: Type.Object({
    ...Campaign.properties,
    messages: Type.Integer({ description: 'Messages sent with this trackId.' }),
    count: Type.Integer({
      description:
        'Deliveries: the installations of each of its messages, added up. An installation counts once per message.',
    }),
    lastMessageAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds; of those that are still kept.' })),
    states: countsOf(deliveryStates),
    reasons: countsOf(deliveryReasons),
    influenced: Influenced,
  }),
  example: {
    params: { trackId: 'nowruz-1406' },
    answer: {
      ...example,
      messages: 3,
      count: 48_210,
      lastMessageAt: 1_794_787_200_000,
      states: { ...noneOf(deliveryStates), sent: 47_900, delivered: 41_022, shown: 40_871, opened: 5_310, ended: 310 },
      reasons: { ...noneOf(deliveryReasons), gone: 298, refused: 12 },
      influenced: { events: 1_204, directEvents: 610, revenue: { EUR: 18_403.5 } },
    },
  },
})
