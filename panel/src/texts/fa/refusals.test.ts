import { expect, test } from 'vitest'
import { sayRefusalEn } from '../en/refusals.ts'
import { sayHeadlineFa } from './refusals.ts'
import { sayRefusalFa } from './whole-refusals.ts'

test('a refusal is left to the service’s own words on an English page', () => {
  expect(sayRefusalEn({ code: 'invalid-request', details: { field: 'ttl' } })).toBeUndefined()
})

test('on a Persian page a headline comes first, with the name of the field, and the service’s words follow', () => {
  const refusal = { code: 'invalid-request', details: { field: 'ttl' } }
  expect(sayRefusalFa(refusal)).toBeUndefined()
  const said = sayHeadlineFa(refusal)
  expect(said).toMatchObject({ isWhole: false, text: expect.stringMatching(/^[\u0600-\u06ff].*ttl.*:$/) })
})

test.each([
  ['a trackId that is taken', 'already-exists', { what: 'campaign', name: 'summer' }, 'summer'],
  ['a segment of the same name', 'already-exists', { what: 'segment', name: 'vip' }, 'vip'],
  ['a member who is one already', 'already-exists', { what: 'member', name: 'a@b.c' }, 'a@b.c'],
  ['an empty file', 'invalid-file', { isEmpty: true }, ''],
  ['a file with lines that are not codes', 'invalid-file', { lines: [2, 17] }, '۱۷'],
  ['an image with too many pixels', 'invalid-image', { problem: 'side' }, '۴٬۰۹۶'],
  ['an image of too many bytes', 'too-large', { what: 'image' }, ''],
  ['an image more than there is room for', 'limit-reached', { what: 'images' }, ''],
  ['a rule whose value is of another kind', 'invalid-segment', { expected: 'number' }, ''],
])('%s is said wholly in Persian', (_, code, details, name) => {
  const said = sayRefusalFa({ code, details })
  expect(said).toMatchObject({ isWhole: true, text: expect.stringContaining(name) })
  expect(said?.text.replace(name, '').replace('trackId', '')).not.toMatch(/[a-z]{2}/i)
})

test('what is wrong with a template is said in both languages, and how it is mended', () => {
  const reason = { code: 'unknown-filter', part: 'upcse', suggestion: 'upcase' }
  const refusal = { code: 'invalid-template', details: { field: 'content', fault: 'in English', reason } }
  expect(sayRefusalEn(refusal)?.text).toBe('There is no filter “upcse”. Did you mean upcase?')
  expect(sayRefusalFa(refusal)).toMatchObject({ isWhole: true, text: expect.stringMatching(/upcse.*upcase/) })
  const newer = { ...refusal, details: { ...refusal.details, reason: { code: 'from-a-newer-service' } } }
  expect([sayRefusalEn(newer), sayRefusalFa(newer)]).toEqual([undefined, undefined])
  expect(sayHeadlineFa(newer)?.isWhole).toBe(false)
})

test('what is not known here is left to the service’s own words', () => {
  const newer = { code: 'from-a-newer-service', details: undefined }
  expect([sayRefusalFa(newer), sayHeadlineFa(newer)]).toEqual([undefined, undefined])
})
