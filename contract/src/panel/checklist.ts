import Type, { type Static } from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'

const group = 'Panel'

/** What there is to do in the first hour of an app. */
const Checklist = Type.Object({
  done: Type.Object(
    {
      clientKey: Type.Boolean({ description: 'There is a client key that works.' }),
      snippet: Type.Boolean({ description: 'Some client has the code: an installation was seen.' }),
      installation: Type.Boolean({ description: 'An installation was seen.' }),
      provider: Type.Boolean({ description: 'A push provider has credentials that were checked and are valid.' }),
      message: Type.Boolean({ description: 'A message went out to a device.' }),
    },
    { description: 'What a later step cannot do without is done with it.' },
  ),
  device: Type.Optional(
    Type.Object(
      {
        installationId: Type.String(),
        userId: Type.String(),
        deviceType: Type.String(),
        createdAt: Type.Integer({ description: 'Epoch milliseconds.' }),
      },
      { description: 'The newest installation that is still there.' },
    ),
  ),
  isDismissed: Type.Boolean({ description: 'Somebody has put it away, for the whole team.' }),
})
export type Checklist = Static<typeof Checklist>
export type ChecklistStep = keyof Checklist['done']

export const panelChecklist = defineEndpoint({
  summary: 'Read what of the first steps of the app is done',
  group,
  answer: Checklist,
  example: {
    answer: {
      done: { clientKey: true, snippet: true, installation: true, provider: false, message: false },
      device: {
        installationId: '0c6a2f0e-6f3e-4c56-9f0a-3d5f4f7f2f11',
        userId: 'ali',
        deviceType: 'android',
        createdAt: 1_794_700_800_000,
      },
      isDismissed: false,
    },
  },
})

const isDismissed = Type.Boolean({ expected: 'true or false' })

export const panelChangeChecklist = defineEndpoint({
  summary: 'Put the first steps of the app away, or bring them back',
  group,
  body: Type.Object({ isDismissed }),
  answer: Type.Object({ isDismissed }),
  example: { body: { isDismissed: true }, answer: { isDismissed: true } },
})
