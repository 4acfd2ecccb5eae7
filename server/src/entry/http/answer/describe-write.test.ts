import { expect, it } from 'vitest'
import { describeWrite } from './describe-write.ts'

const write = (path: string, params: Record<string, string>, body: unknown, answer: unknown) =>
  describeWrite({ method: 'POST', path }, { params, body }, answer)

it('tells whom a write concerned, and a few words of it, but never a secret', () => {
  expect(write('/tokens', {}, { name: 'ci', scopes: ['read'] }, { id: 't1', name: 'ci', secret: 'abc' })).toEqual({
    action: 'POST /tokens',
    subject: 't1',
    details: { name: 'ci' },
  })
  expect(write('/users/:userId/tags', { userId: 'u1' }, { tags: ['vip'] }, { count: 2 })).toEqual({
    action: 'POST /users/:userId/tags',
    subject: 'u1',
    details: { count: 2 },
  })
  expect(write('/webhooks', {}, { url: 'https://shop.example/hook?key=abc' }, { id: 'w1' }).details).toEqual({
    origin: 'https://shop.example',
  })
})

it.each([undefined, null, 'text', [1], { id: 4, name: {} }, { url: 'nonsense' }])('bears %j', (odd) => {
  expect(write('/x', {}, odd, odd)).toEqual({ action: 'POST /x', subject: undefined })
})

it('keeps it short', () => {
  const { subject, details } = write('/x/:id', { id: 'x'.repeat(300) }, { name: 'y'.repeat(300) }, {})
  expect([subject?.length, String(details?.name).length]).toEqual([255, 255])
})

it('never cuts a character in two, which could not be stored', () => {
  const long = `${'x'.repeat(254)}😀`
  const { subject, details } = write('/x/:id', { id: long }, { name: long }, {})
  expect([subject?.isWellFormed(), String(details?.name).isWellFormed()]).toEqual([true, true])
})
