import { expect, it } from 'vitest'
import { en } from '../../texts/en.ts'
import { fa } from '../../texts/fa.ts'
import { subjectOf, wordingOf } from './audit-subject.ts'

const id = '019a8c3e-7d10-7c4e-8f21-5b6c7d8e9f00'

it.each([
  ['POST /send', id, { count: 3, approval: 'waiting' }, { label: '…7d8e9f00', to: `/approvals/${id}` }],
  ['POST /approvals/:id/approve', id, { count: 3 }, { label: '…7d8e9f00', to: `/approvals/${id}` }],
  ['PUT /messages/:id/time', id, { approval: 'waiting' }, { label: '…7d8e9f00', to: `/messages/${id}` }],
  ['POST /send', id, { count: 3 }, { label: '…7d8e9f00', to: `/messages/${id}` }],
  ['POST /send', 'x', { count: 3, seriesId: id }, { label: '…7d8e9f00', to: `/series/${id}` }],
  ['DELETE /messages/:id', id, {}, { label: '…7d8e9f00', to: `/messages/${id}` }],
  ['POST /series/:id/pause', id, {}, { label: '…7d8e9f00', to: `/series/${id}` }],
  ['PUT /segments/:id', id, { name: 'Sleepers' }, { label: 'Sleepers', to: `/segments/${id}` }],
  ['GET /segments/:id/users.csv', id, { name: 'Sleepers' }, { label: 'Sleepers', to: `/segments/${id}` }],
  ['DELETE /segments/:id', id, { name: 'Sleepers' }, { label: 'Sleepers' }],
  ['POST /users/:userId/tags', 'a/b', {}, { label: 'a/b', to: '/users/a%2Fb' }],
  ['DELETE /users/:userId', 'sara', {}, { label: 'sara' }],
  ['POST /campaigns', id, { name: 'Spring', trackId: 'spring' }, { label: 'Spring', to: '/campaigns/spring' }],
  ['POST /members/:id/link', id, { email: 'ali@shop.example' }, { label: 'ali@shop.example' }],
  ['DELETE /webhooks/:id', id, { origin: 'https://shop.example' }, { label: 'https://shop.example' }],
  ['POST /images', id, { origin: 'https://push.example.com' }, { label: '…7d8e9f00' }],
  ['PUT /providers/:provider', 'fcm', {}, { label: 'fcm' }],
])('%s', (action, subject, details, expected) => {
  const entry = {
    id: '1',
    at: 0,
    email: 'sara@shop.example',
    action,
    subject,
    details: details as Record<string, string>,
  }
  expect(subjectOf(entry)).toEqual(expected)
})

it.each([
  [{}, 'POST /send'],
  [{ seriesId: id, sendAt: 1_000 }, 'POST /send series'],
  [{ seriesId: id, approval: 'waiting' }, 'POST /send waiting'],
  [{ sendAt: 2_000 }, 'POST /send later'],
  [{ sendAt: 900 }, 'POST /send'],
  [{ sendAt: '2026-11-20T09:00' }, 'POST /send later'],
])('a send with %o is worded as %s', (details, expected) => {
  const entry = { id: '1', at: 1_000, email: 'sara@shop.example', action: 'POST /send', details }
  const key = wordingOf(entry as Parameters<typeof wordingOf>[0])
  expect(key).toBe(expected)
  for (const { settings } of [en, fa]) expect(Object.keys(settings.audit.actions)).toContain(key)
})

it('a series that has sent nothing was not sent to anybody', () => {
  const say = en.settings.audit.actions['POST /send series']
  expect(say?.({ subject: 'X', count: '115', role: '', when: '' })).toBe(
    'set up the repeating message X; at that time it had 115 recipient devices',
  )
})
