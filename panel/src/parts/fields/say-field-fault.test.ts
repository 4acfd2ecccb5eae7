import { expect, it } from 'vitest'
import { en } from '../../texts/en.ts'
import { fa } from '../../texts/fa.ts'
import { createFormat } from '../../texts/format.ts'
import { sayFieldFault } from './say-field-fault.ts'

it.each([
  ['text', { valid: true }, ''],
  ['text', { valueMissing: true }, 'Fill in this field.'],
  ['email', { typeMismatch: true }, 'Enter an email address, such as sara@shop.example.'],
  ['url', { typeMismatch: true }, 'Enter an address that begins with https://.'],
  ['password', { tooShort: true }, 'Enter at least 10 characters.'],
  ['text', { patternMismatch: true }, 'This is not in the form that is asked for.'],
])('a field of type %s with %o is told: %s', (type, validity, expected) => {
  expect(sayFieldFault({ type, minLength: 10, validity }, en.common.fieldFaults, createFormat('en'))).toBe(expected)
})

it('is told in Persian where the panel is', () => {
  const field = { type: 'password', minLength: 10, validity: { tooShort: true } }
  expect(sayFieldFault(field, fa.common.fieldFaults, createFormat('fa'))).toBe('دست‌کم ۱۰ نویسه وارد کنید.')
})
