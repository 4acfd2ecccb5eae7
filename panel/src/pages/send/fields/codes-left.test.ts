import { expect, it } from 'vitest'
import { judgeCodes } from './codes-left.ts'

it('asks for a campaign before it says that there are no codes', () => {
  expect(judgeCodes({}, ' ')).toBe('choose')
  expect(judgeCodes({}, 'spring')).toBe('none')
  expect(judgeCodes({ global: 0 }, '')).toBe('choose')
})

it('says where codes are left', () => {
  expect(judgeCodes({ global: 5 }, '')).toBe('global')
  expect(judgeCodes({ campaign: 0, global: 5 }, 'spring')).toBe('both')
  expect(judgeCodes({ campaign: 3 }, 'spring')).toBe('both')
  expect(judgeCodes({ campaign: 0 }, 'spring')).toBe('none')
})
