import { expect, test } from 'vitest'
import { ApiFault } from '../api/call.ts'
import { en } from '../texts/en.ts'
import { fa } from '../texts/fa.ts'
import { createFormat } from '../texts/format.ts'
import { faultText } from './Fault.tsx'

const refused = (code: string, message: string, details?: Record<string, unknown>) =>
  new ApiFault(400, { error: { code, message, ...(details && { details }) } }, null)
const inPersian = (fault: ApiFault) => faultText(fault, fa, createFormat('fa'))

test('a refusal is said in the service’s own words on an English page', () => {
  const fault = refused('invalid-request', '"ttl": expected a number of seconds, got "soon".', { field: 'ttl' })
  expect(faultText(fault, en, createFormat('en'))).toBe(fault.message)
})

test('on a Persian page a headline in Persian comes first, with the name of the field', () => {
  const fault = refused('invalid-request', '"ttl": expected a number of seconds, got "soon".', { field: 'ttl' })
  expect(inPersian(fault)).toMatch(/^[\u0600-\u06ff].*ttl.*: \u2068"ttl": expected a number/)
})

test.each([
  [
    'a trackId that is taken',
    refused('already-exists', 'exists already', { what: 'campaign', name: 'summer' }),
    'summer',
  ],
  [
    'a member who is one already',
    refused('already-exists', 'a member already', { what: 'member', name: 'a@b.c' }),
    'a@b.c',
  ],
  ['an empty file', refused('invalid-file', 'The file is empty', { isEmpty: true }), ''],
  ['lines that are not codes', refused('invalid-file', 'Lines 2 are', { lines: [2, 17] }), '۱۷'],
  [
    'a rule whose value is of another kind',
    refused('invalid-segment', 'Expected a number', { expected: 'number' }),
    '',
  ],
])('%s is said wholly in Persian', (_, fault, name) => {
  expect(inPersian(fault)).toContain(name)
  expect(inPersian(fault).replace(name, '').replace('trackId', '')).not.toMatch(/[a-z]{2}/i)
})

test('what Liquid says of a template is quoted after a sentence in Persian', () => {
  const fault = refused('invalid-template', '"content" is not a Liquid template: tag x.', {
    field: 'content',
    fault: 'tag x',
  })
  expect(inPersian(fault)).toMatch(/^این متن .*: \u2068tag x\u2069$/)
})
