import { describe, expect, it } from 'vitest'
import { oddBodies } from '../answers.test-support.ts'
import { readSubscription } from './read-subscription.ts'

const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)])
const auth = Buffer.alloc(16, 9)
const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
const endpoint = 'https://updates.push.services.mozilla.com/wpush/v2/abc?x=1#y'

describe('a subscription', () => {
  it('is read with its origin, path and keys, also in plain base64', () => {
    const expected = { origin: 'https://updates.push.services.mozilla.com', path: '/wpush/v2/abc?x=1', p256dh, auth }
    expect(readSubscription(JSON.stringify({ endpoint, expirationTime: null, keys }))).toEqual(expected)
    const padded = { p256dh: p256dh.toString('base64'), auth: auth.toString('base64') }
    expect(readSubscription(JSON.stringify({ endpoint, keys: padded }))).toEqual(expected)
  })

  it.each([
    [{ keys }, 'no endpoint'],
    [{ endpoint: 7, keys }, 'no endpoint'],
    [{ endpoint: `https://a.example/${'x'.repeat(5_000)}`, keys }, 'no endpoint'],
    [{ endpoint: 'nowhere', keys }, 'not a URL'],
    [{ endpoint: 'file:///etc/passwd', keys }, 'not a URL'],
    [{ endpoint: 'https://a:b@fcm.googleapis.com/', keys }, 'password'],
    [{ endpoint }, 'p256dh'],
    [{ endpoint, keys: [] }, 'p256dh'],
    [{ endpoint, keys: { ...keys, p256dh: 'AAAA' } }, 'p256dh'],
    [{ endpoint, keys: { ...keys, p256dh: Buffer.alloc(65).toString('base64url') } }, 'p256dh'],
    [{ endpoint, keys: { ...keys, auth: 'AAAA' } }, 'auth'],
    [{ endpoint, keys: { ...keys, auth: { length: 16 } } }, 'auth'],
  ])('%j is refused', (sent, words) => expect(readSubscription(JSON.stringify(sent))).toContain(words))

  it.each(Object.entries(oddBodies))('is not %s', (_, token) => expect(typeof readSubscription(token)).toBe('string'))
})
