import { expect, test } from 'vitest'
import { readPhone } from './read-phone.ts'

test.each([
  ['sara', '+98 (912) 123-4567', false, '989121234567'],
  ['sara', '00989121234567', true, '989121234567'],
  ['sara', undefined, false, undefined],
  ['989350000001', undefined, false, '989350000001'],
  ['989350000001', '+989121234567', false, '989121234567'],
  ['989350000001', '+989121234567', true, '989350000001'],
  ['989350000001', 'nonsense', true, '989350000001'],
  ['989350000001', 'nonsense', false, undefined],
])(
  'of the user %j with the phone %j, unverified: %s, the number is %j',
  (userId, attribute, isUnverified, expected) => {
    expect(readPhone(userId, attribute, isUnverified)).toBe(expected)
  },
)
