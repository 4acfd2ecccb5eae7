import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { Days } from './overview.ts'

const group = 'Panel'

const What = Type.Optional(
  Type.Union([Type.Literal('churn'), Type.Literal('uninstall')], {
    expected: 'churn or uninstall',
    description: '`churn`: only the last installation of a user.',
  }),
)
const Platform = Type.Optional(
  Type.Union([Type.Literal('android'), Type.Literal('ios'), Type.Literal('web'), Type.Literal('other')], {
    expected: 'android, ios, web or other',
  }),
)

const Uninstalls = Type.Object({
  data: Type.Array(
    Type.Object({
      time: Type.Integer({ description: 'When it was noticed, in epoch milliseconds.' }),
      installationId: Type.String(),
      deviceType: Type.String(),
      userId: Type.String(),
      isChurn: Type.Boolean(),
    }),
  ),
  cursor: Type.Optional(Type.String({ description: 'Asks for the next page; absent on the last one.' })),
})
export type Uninstalls = Static<typeof Uninstalls>

export const panelUninstalls = defineEndpoint({
  summary: 'Uninstalls, newest first',
  group,
  query: Type.Object({
    days: Days,
    type: What,
    platform: Platform,
    cursor: Type.Optional(Type.String({ description: 'The `cursor` of the page before.' })),
  }),
  answer: Uninstalls,
  example: {
    query: { days: '30', type: 'churn' },
    answer: {
      data: [
        {
          time: 1_794_700_800_000,
          installationId: '6f1f64d2-3c0e-4f2b-8a53-3c7f6f1b2a10',
          deviceType: 'ios',
          userId: 'sara',
          isChurn: true,
        },
      ],
    },
  },
})

export const panelUninstallsFile = defineEndpoint({
  summary: 'Uninstalls as a CSV file',
  group,
  query: Type.Object({ days: Days, type: What, platform: Platform }),
  answer: Type.Unknown(),
  example: { query: { days: '90' }, answer: 'time,platform,userId,installationId,churn' },
})
