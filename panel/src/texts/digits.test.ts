import { expect, it } from 'vitest'
import { plainDigits, readDigits, showDigits } from './digits.ts'

it('digits of Persian and Arabic are digits', () => {
  expect(plainDigits('۱۲٣4')).toBe('1234')
})

it.each([
  ['12', '12'],
  ['۱۲', '12'],
  ['-۰٫۵', '-0.5'],
  ['۱٬۲۳۴', '1234'],
  ['1,234.5', '1234.5'],
  ['', ''],
  ['-', '-'],
  ['۱٫', '1.'],
])('%s is typed as %s', (text, plain) => {
  expect(readDigits(text)).toBe(plain)
})

it.each(['many', '1.2.3', '1-2', '۱e3', '--1'])('%s is no number', (text) => {
  expect(readDigits(text)).toBeUndefined()
})

it('are shown as the language writes them, and read back', () => {
  expect(showDigits('-12.5', 'fa')).toBe('-۱۲٫۵')
  expect(readDigits(showDigits('-12.5', 'fa'))).toBe('-12.5')
  expect(showDigits('-12.5', 'en')).toBe('-12.5')
})
