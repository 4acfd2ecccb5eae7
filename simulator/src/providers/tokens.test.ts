import { randomBytes } from 'node:crypto'
import { isThorough } from '@peyk/test/runner/effort.ts'
import { describe, expect, it } from 'vitest'
import { Tokens } from './tokens.ts'

const secret = randomBytes(32)
const origin = 'https://localhost:4000'
const tokens = new Tokens(secret, origin)

const issued = {
  fcm: (from: Tokens, id?: string) => from.issue('fcm', id),
  apns: (from: Tokens, id?: string) => from.issue('apns', id),
  webpush: (from: Tokens, id?: string) => from.issue('webpush', id).endpoint,
}
const providers = ['fcm', 'apns', 'webpush'] as const

describe.each(providers)('a token of %s', (provider) => {
  it('tells its id, after a restart too', () => {
    const token = issued[provider](tokens, 'phone-1')
    expect(tokens.read(provider, token)).toEqual({ id: 'phone-1' })
    expect(new Tokens(secret, origin).read(provider, token)).toEqual({ id: 'phone-1' })
  })

  it('is the same for the same id, and another for each without one', () => {
    expect(issued[provider](tokens, 'a')).toBe(issued[provider](tokens, 'a'))
    expect(issued[provider](tokens)).not.toBe(issued[provider](tokens))
  })

  it('is nothing to another secret, or with a character changed', () => {
    const token = issued[provider](tokens, 'phone-1')
    expect(new Tokens(randomBytes(32), origin).read(provider, token)).toBeUndefined()
    for (const index of [-1, -10, -22]) {
      const at = token.length + index
      const changed = token.slice(0, at) + (token[at] === '0' ? '1' : '0') + token.slice(at + 1)
      expect(tokens.read(provider, changed)).toBeUndefined()
    }
    for (const nonsense of ['', 'nonsense', '{', '{"endpoint":1}', '\0'.repeat(64), '0'.repeat(64)]) {
      expect(tokens.read(provider, nonsense)).toBeUndefined()
    }
  })

  it('dies and comes back, and the dead can be kept', () => {
    const first = new Tokens(secret, origin)
    const token = issued[provider](first, 'phone-1')
    expect(first.deadSince(provider, 'phone-1')).toBeUndefined()
    expect(first.kill(provider, token, 1000)).toBe(true)
    expect(first.deadSince(provider, 'phone-1')).toBe(1000)
    const second = new Tokens(secret, origin)
    second.loadDead(JSON.parse(JSON.stringify(first.listDead())))
    expect(second.deadSince(provider, 'phone-1')).toBe(1000)
    expect(second.revive(provider, token)).toBe(true)
    expect(second.listDead()).toEqual([])
    expect(second.kill(provider, 'nonsense')).toBe(false)
  })
})

it('looks like what the providers give out', () => {
  expect(tokens.issue('fcm')).toMatch(/^simulated-[\w-]{16}:APA91b[\w-]{22}$/)
  expect(tokens.issue('apns')).toMatch(/^[0-9a-f]{64}$/)
  const { endpoint, keys } = tokens.issue('webpush')
  expect(endpoint).toMatch(/^https:\/\/localhost:4000\/push\//)
  expect(Buffer.from(keys.p256dh, 'base64url').length).toBe(65)
  expect(Buffer.from(keys.auth, 'base64url').length).toBe(16)
})

it('takes no id that does not fit into a token', () => {
  for (const id of ['', 'x'.repeat(17), 'a b', 'é']) expect(() => tokens.issue('apns', id)).toThrow('1 to 16')
})

it('knows the VAPID key that a subscription was made with', () => {
  const { endpoint } = tokens.issue('webpush', 'a', 'BKey')
  expect(tokens.read('webpush', endpoint)?.vapidKeyHash).toMatch(/^[\w-]{11}$/)
})

it('says when a token has died or come back', () => {
  const own = new Tokens(secret, origin)
  let changes = 0
  own.onDeadChange(() => changes++)
  const token = own.issue('fcm')
  own.kill('fcm', token)
  own.revive('fcm', token)
  own.revive('fcm', token)
  expect(changes).toBe(2)
})

it.runIf(isThorough)('stores nothing of 20,000 tokens', () => {
  const own = new Tokens(secret, origin)
  const ids = new Set<string>()
  for (let n = 0; n < 20_000; n++) {
    const provider = n % 2 === 0 ? 'fcm' : 'apns'
    ids.add(own.read(provider, own.issue(provider))?.id ?? '')
  }
  expect(ids.size).toBe(20_000)
  expect(own.listDead()).toEqual([])
  expect(JSON.stringify(own).length).toBeLessThan(1000)
})
