import Type from 'typebox'
import { defineEndpoint } from './schema/endpoint.ts'
import { warningFields } from './schema/words.ts'

const group = 'Promo codes'

const fileRules =
  'The CSV file in the part `file` is UTF-8 with one code per line, up to 10 million rows or 256 MiB. A code is 1 to 64 letters (A-Z, a-z), digits and hyphens; blank lines, a byte order mark and CRLF are allowed. If any other line is found, the answer is 400 with the numbers of the first ten in `details.lines`, and the old set stays, unless `leaveOutBadLines` is given. An `Idempotency-Key` is compared by the content of the file; as a part `idempotencyKey` it must come before the file.'

const query = Type.Object({
  mode: Type.Optional(
    Type.Enum(['replace', 'add'], {
      expected: '"replace" or "add"',
      description:
        '`replace` unless given. `add`: the codes that are in use stay, those of the file are added, and `promoSetId` stays the same.',
    }),
  ),
  hasHeader: Type.Optional(
    Type.Boolean({
      expected: 'true or false',
      description: '`true`: the first line that is not blank names the column. It is no code, whatever it says.',
    }),
  ),
  leaveOutBadLines: Type.Optional(
    Type.Boolean({
      expected: 'true or false',
      description: '`true`: lines that are not codes are left out and counted in `leftOut`.',
    }),
  ),
})

const counts = {
  totalRows: Type.Integer({ description: 'Rows of the file that are not blank, without those that were left out.' }),
  duplicates: Type.Integer({ description: 'Rows that repeat an earlier one. Each code is kept once.' }),
  alreadyUsed: Type.Integer({
    description: 'Codes that this app has given to somebody before. They are not given again.',
  }),
  alreadyThere: Type.Optional(
    Type.Integer({ description: 'With `mode=add`: codes that the set had already. They are skipped.' }),
  ),
  leftOut: Type.Optional(Type.Integer({ description: 'With `leaveOutBadLines=true`: lines that are not codes.' })),
  ...warningFields('Query parameters and parts of the body that were ignored because the endpoint does not know them.'),
}

export const updatePromoCodes = defineEndpoint({
  summary: 'Replace the promo codes of a campaign, or add to them',
  description: `The new set replaces the old one as soon as this is answered, and later messages use the new codes. ${fileRules}`,
  group,
  section: '49-upload-promo-codes-for-a-campaign',
  // Any text: what is no campaign's trackId is answered with 404, in the words of the specification.
  params: Type.Object({ trackId: Type.String({ description: 'The `trackId` of the campaign.' }) }),
  file: true,
  query,
  answer: Type.Object({ promoSetId: Type.String({ description: 'The id of the new set, a UUID.' }), ...counts }),
  example: {
    params: { trackId: 'nowruz-sale' },
    answer: {
      promoSetId: '0b2f4c1e-6d0a-4f5e-9a3c-2f0d7c1b8e44',
      totalRows: 250_000,
      duplicates: 12,
      alreadyUsed: 0,
    },
  },
})

export const updateGlobalPromoCodes = defineEndpoint({
  summary: 'Replace the global promo codes, or add to them',
  description: `Global codes are used for campaigns that have no codes of their own, or none left. ${fileRules}`,
  group,
  section: '410-upload-global-promo-codes',
  file: true,
  query,
  answer: Type.Object({ promoSetId: Type.String({ description: 'The id of the app.' }), ...counts }),
  example: {
    query: { mode: 'add', leaveOutBadLines: 'true' },
    answer: {
      promoSetId: 'demo',
      totalRows: 1_000_000,
      duplicates: 0,
      alreadyThere: 1_204,
      alreadyUsed: 318,
      leftOut: 2,
    },
  },
})
