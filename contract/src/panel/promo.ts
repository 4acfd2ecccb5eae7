import Type, { type Static } from 'typebox'
import { type AnswerOf, defineEndpoint } from '../schema/endpoint.ts'

const group = 'Panel: promo codes'

/** The codes that a campaign, or every campaign that has none of its own, gives out now. */
export const PromoSet = Type.Object({
  trackId: Type.Optional(Type.String({ description: 'Absent for the global set.' })),
  campaignName: Type.Optional(Type.String()),
  totalRows: Type.Integer({ description: 'Rows of the file.' }),
  codes: Type.Integer({ description: 'Codes in it, each counted once.' }),
  duplicates: Type.Integer(),
  alreadyUsed: Type.Integer({ description: 'Codes that had been given before it was uploaded.' }),
  given: Type.Integer({ description: 'Codes given from it since.' }),
  left: Type.Integer({ description: 'Codes of it that are still to be given.' }),
  lowBelow: Type.Integer({ description: 'With fewer left than this, the set runs low.' }),
  isLow: Type.Boolean(),
  uploadedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
})
export type PromoSet = Static<typeof PromoSet>

export const promoSetExample: PromoSet = {
  trackId: 'nowruz-sale',
  campaignName: 'Nowruz sale',
  totalRows: 250_000,
  codes: 249_988,
  duplicates: 12,
  alreadyUsed: 0,
  given: 48_210,
  left: 201_778,
  lowBelow: 24_998,
  isLow: false,
  uploadedAt: 1_794_700_800_000,
}

export const panelPromo = defineEndpoint({
  summary: 'See the promo codes that are left, of all campaigns and of none',
  group,
  query: Type.Object({
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
  }),
  answer: Type.Object({
    global: Type.Optional(PromoSet),
    sets: Type.Array(PromoSet, { description: 'Of campaigns, the latest upload first.' }),
    cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
  }),
  example: { answer: { sets: [promoSetExample] } },
})
export type PromoOverview = AnswerOf<typeof panelPromo>

export const GivenCode = Type.Object({
  code: Type.String(),
  userId: Type.Optional(Type.String({ description: 'Absent when the user was forgotten.' })),
  messageId: Type.Optional(Type.String({ description: 'Absent when the user was forgotten.' })),
  title: Type.Optional(Type.String({ description: 'What the message said, when it is still kept.' })),
  trackId: Type.Optional(
    Type.String({ description: 'The campaign whose set it came from; absent for the global set.' }),
  ),
  givenAt: Type.Integer({ description: 'Epoch milliseconds.' }),
})
export type GivenCode = Static<typeof GivenCode>

export const panelCodes = defineEndpoint({
  summary: 'Find out who was given a code, or which codes somebody was given',
  description: 'With `code`: that code, exactly. With `user`: the latest 100 codes of that user. One of the two.',
  group,
  query: Type.Object({
    code: Type.Optional(Type.String({ maxLength: 64, expected: 'a code of at most 64 characters' })),
    user: Type.Optional(Type.String({ maxLength: 64, expected: 'a user id' })),
  }),
  answer: Type.Object({
    data: Type.Array(GivenCode),
    unusedIn: Type.Optional(
      Type.Array(Type.String(), {
        description:
          'A code that was not given to anybody: the trackIds of the sets it waits in, empty for the global one.',
      }),
    ),
  }),
  example: {
    query: { code: 'NOWRUZ-7F3K' },
    answer: {
      data: [
        {
          code: 'NOWRUZ-7F3K',
          userId: 'sara',
          messageId: '019d9c3e-5a00-7c1b-9f3e-2b8f4a6d7c10',
          title: 'Nowruz sale',
          trackId: 'nowruz-sale',
          givenAt: 1_794_700_800_000,
        },
      ],
    },
  },
})
export type FoundCodes = AnswerOf<typeof panelCodes>
