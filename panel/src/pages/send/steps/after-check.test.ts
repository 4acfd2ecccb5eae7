import type { SendPlan } from '@peyk/contract'
import { expect, it } from 'vitest'
import { afterCheck } from './after-check.ts'

const planned = (dryRun: object = {}, rest: object = {}) => ({ dryRun: { count: 5, ...dryRun }, ...rest }) as SendPlan

it('a check without a finding is followed by the question', () => {
  expect(afterCheck(planned(), 0, false)).toBe('confirm')
})

it('an image that the browser still tries is waited for', () => {
  expect(afterCheck(planned(), 0, true)).toBe('wait')
  expect(afterCheck(planned(), 1, true)).toBe('read')
})

it.each([
  ['a warning', planned(), 1],
  ['nobody', planned({ count: 0 }), 0],
  ['an unknown user', planned({}, { unknown: { count: 1, first: ['x'] } }), 0],
  ['a user without a device', planned({}, { unreached: { count: 1, first: ['x'] } }), 0],
  ['codes that do not suffice', planned({ promo: { needed: 5, missing: 2, campaignLeft: 3, globalLeft: 0 } }), 0],
])('%s is read before anything is asked', (_name, plan, warnings) => {
  expect(afterCheck(plan, warnings, false)).toBe('read')
})
