import { expect, it } from 'vitest'
import { en } from '../../texts/en.ts'
import { composeMessage } from './draft/compose.ts'
import { emptyAction, emptyDraft } from './draft/draft.ts'
import { fieldLabel } from './field-label.ts'

it('knows the label of every field that may be missing or wrong', () => {
  const wrong = { amount: 'soon', unit: 'hours' } as const
  const draft = {
    ...emptyDraft,
    data: '{',
    ttl: wrong,
    notification: { ...emptyDraft.notification, vibrate: 'x', actions: [emptyAction] },
    fallback: { ...emptyDraft.fallback, isOn: true, delay: wrong },
  }
  const fields = (['message', 'notification'] as const).flatMap((product) =>
    Object.keys(composeMessage({ ...draft, product }, 'Shop').faults),
  )
  const labels = [...new Set(fields)].map((field) => fieldLabel(field, en.send))
  expect(labels.toSorted()).toEqual([
    'Buttons',
    'Data',
    'Expires after',
    'Message text',
    'Notification text',
    'Text of the SMS',
    'Vibration',
    'Wait',
  ])
})
