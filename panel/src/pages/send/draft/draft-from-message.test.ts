import { expect, it } from 'vitest'
import { composeMessage, composeReceivers } from './compose.ts'
import { emptyDraft } from './draft.ts'
import { draftFromMessage, draftFromTemplate, findLost } from './draft-from-message.ts'

const times = { createdAt: 1_000_000, expireAt: 1_000_000 + 7_200_000 }

it('makes the draft that sends the same again', () => {
  const body = {
    content: 'Hello',
    data: { a: [1] },
    trackId: 'sale',
    inApp: true,
    notification: {
      title: 't',
      body: 'b',
      vibrate: [1, 2],
      mutableContent: true,
      renotify: true,
      actions: [{ id: 'x', title: 'X', options: 4 }],
    },
    fallback: { content: 'sms', delay: 90, media: 'sms', policy: 'NOT_RECEIVED' as const },
  }
  const draft = draftFromMessage({
    ...body,
    ...times,
    product: 'message',
    audience: 'users',
    user: 'sara',
    channel: 'private/x',
  })
  expect(composeMessage(draft, 'Shop')).toEqual({ message: { ...body, product: 'message', ttl: 7200 }, faults: {} })
  expect(composeReceivers(draft).receivers).toEqual({ users: ['sara'], channel: 'private/x' })
})

it.each([
  [{ audience: 'public', channel: 'default', user: '*' }, { target: {} }],
  [
    { audience: 'public', channel: 'public/news', user: '*' },
    { target: {}, channel: 'public/news' },
  ],
  [{ audience: 'query', channel: 'default', target: {} }, { target: {} }],
  [{ audience: 'query', channel: 'default', segment: { all: [1] } }, { segment: { all: [1] } }],
  [{ audience: 'query', channel: 'default', target: { deviceType: 'ios' } }, {}, 'filter'],
  [{ audience: 'query', channel: 'default', segment: { all: [1] }, segmentId: 's' }, { target: 's' }],
  [{ audience: 'users', channel: 'default', userCount: 2, users: ['a', 'b'] }, { users: ['a', 'b'] }],
  [{ audience: 'users', channel: 'default', userCount: 200, users: ['a', 'b'] }, {}, 'users'],
] as const)('%j was sent to %j', (message, receivers, lost = undefined) => {
  const sent = { product: 'message', content: 'x', ...times, ...(message as object) } as never
  expect(composeReceivers(draftFromMessage(sent)).receivers).toEqual(receivers)
  expect(findLost(sent)).toBe(lost)
})

it.each([
  { content: 'Hello', data: { a: 1 }, silent: true, ttl: 7200 },
  { notification: { title: 't', body: 'b', actions: [{ id: 'action-1', title: 'X' }] } },
  { content: 'Hello', category: 'news', quietHours: 'ignore' as const, whenCapped: 'wait' as const },
])('%j is what a draft from this template says', (message) => {
  const product = 'content' in message ? 'message' : 'notification'
  const draft = { ...emptyDraft, ...draftFromTemplate(message) }
  expect(composeMessage(draft, 'Shop')).toEqual({ message: { product, ...message }, faults: {} })
  expect(composeReceivers(draft).receivers).toEqual({})
})

it('keeps the category of the draft where the template names none', () => {
  expect(draftFromTemplate({ content: 'Hello' })).not.toHaveProperty('category')
})

it('is sent again to a group as transactional as it was', () => {
  const sent = { product: 'message', content: 'x', channel: 'default', ...times } as const
  expect(draftFromMessage({ ...sent, audience: 'query', target: {} }).category).toBe('transactional')
  expect(draftFromMessage({ ...sent, audience: 'users', user: 'sara' }).category).toBe('')
})
