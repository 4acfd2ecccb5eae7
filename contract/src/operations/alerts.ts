import Type from 'typebox'
import { defineEndpoint } from '../schema/endpoint.ts'
import { JsonObject } from '../schema/words.ts'

const group = 'Alerts'

export const Alert = Type.Object({
  id: Type.String(),
  kind: Type.String({
    description:
      '`provider-paused`, `mass-invalidation`, `wrong-environment`, `sms-limit`, `promo-low`, `webhook-disabled`, `credentials-unreadable`, `too-many-value-names`, `backup-failed`, `restored`, `month-missing`, `role-missing`, `quota-near` or `quota-reached`.',
  }),
  subject: Type.String({ description: 'What it concerns: a provider, a webhook, a trackId, or a role; may be empty.' }),
  text: Type.String({ description: 'In plain words: what happened and what to do.' }),
  details: JsonObject,
  raisedAt: Type.Integer({ description: 'Epoch milliseconds.' }),
  clearedAt: Type.Optional(Type.Integer({ description: 'Epoch milliseconds.' })),
})

const id = '019a8b1c-5d2e-7c3f-8a4b-1f2e3d4c5b6a'

export const listAlerts = defineEndpoint({
  summary: 'List alerts, newest first',
  description: 'An alert is listed once for as long as it is open. It is cleared when its cause is fixed, or by hand.',
  group,
  query: Type.Object({
    cleared: Type.Optional(
      Type.Boolean({ expected: 'true or false', description: '`true`: those that were cleared too.' }),
    ),
  }),
  answer: Type.Array(Alert),
  example: {
    query: { cleared: 'true' },
    answer: [
      {
        id,
        kind: 'provider-paused',
        subject: 'apns',
        text: 'Apple (APNs) is paused: Apple answered InvalidProviderToken. Messages wait until they expire.',
        details: { reason: 'Apple answered InvalidProviderToken.' },
        raisedAt: 1_794_787_200_000,
      },
    ],
  },
})

export const clearAlert = defineEndpoint({
  summary: 'Clear an alert',
  description: 'Its cause stays as it is: what still holds is raised again.',
  group,
  params: Type.Object({ id: Type.String() }),
  answer: Type.Object({ id: Type.String(), clearedAt: Type.Integer({ description: 'Epoch milliseconds.' }) }),
  example: { params: { id }, answer: { id, clearedAt: 1_794_790_800_000 } },
})
