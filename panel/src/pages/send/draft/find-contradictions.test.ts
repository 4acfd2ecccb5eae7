import { expect, it } from 'vitest'
import { type Draft, emptyDraft, type FlagName } from './draft.ts'
import { findContradictions } from './find-contradictions.ts'

const draft = (flags: FlagName[], changes: Partial<Draft> = {}): Draft => ({
  ...structuredClone(emptyDraft),
  ...changes,
  flags: { ...emptyDraft.flags, ...Object.fromEntries(flags.map((flag) => [flag, true])) },
})
const withBody = { notification: { ...emptyDraft.notification, body: 'b' } }

it.each([
  [draft([]), []],
  [draft(['silent']), []],
  [draft(['silent'], withBody), ['silentTexts']],
  [draft(['silent', 'inApp', 'autoNotify']), ['silentInApp', 'silentAutoNotify', 'inAppAutoNotify']],
  [draft(['inApp'], withBody), ['inAppNotification']],
  [draft(['inApp'], { product: 'notification' }), ['inAppOnly']],
  [draft(['live'], { ttl: { amount: '1', unit: 'hours' } }), ['liveTtl']],
  [
    draft([], {
      ttl: { amount: '30', unit: 'seconds' },
      fallback: { ...emptyDraft.fallback, isOn: true, content: 'sms' },
    }),
    ['ttlBeforeSms'],
  ],
  [draft(['useAsAlert'], { alertText: 'a', ...withBody }), ['alertUnused', 'useAsAlertUnused']],
  [draft([], { trackId: 'sale' }), []],
])('%# is explained', (sent, expected) => {
  expect(findContradictions(sent, false)).toEqual(expected)
})

it('a message to users counts for no campaign that is missing', () => {
  expect(findContradictions(draft([], { trackId: 'sale' }), true)).toEqual(['personalTrackId'])
  expect(findContradictions(draft([]), true)).toEqual([])
})
