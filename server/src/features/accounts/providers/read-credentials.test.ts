import { describe, expect, it } from 'vitest'
import { createWebPushCredentials } from '../credential-formats/web-push.ts'
import { makeApnsKey, makeServiceAccount, twilio } from './credentials.test-support.ts'
import { readCredentials } from './read-credentials.ts'

const subject = 'mailto:push@shop.example'

describe('what is sent for a provider', () => {
  it('is the file of Firebase itself, or that file as a text', () => {
    const account = makeServiceAccount()
    const read = readCredentials('fcm', account, undefined)
    expect(read.credentials).toMatchObject({ projectId: 'shop-1a2b3', privateKey: account.private_key })
    expect(readCredentials('fcm', { file: JSON.stringify(account) }, undefined)).toEqual(read)
    expect(readCredentials('fcm', { file: account }, undefined)).toEqual(read)
  })

  it('carries its options beside the fields', () => {
    expect(readCredentials('fcm', makeServiceAccount(), undefined).options).toEqual({
      simulated: false,
      force: false,
      replace: false,
    })
    const sent = { ...makeApnsKey(), force: 'true', simulated: 1, replace: null }
    expect(readCredentials('apns', sent, undefined).options).toEqual({ simulated: true, force: true, replace: false })
    expect(() => readCredentials('apns', { ...sent, force: 'yes' }, undefined)).toThrow(
      '"force": expected true or false',
    )
  })

  it.each([undefined, null, 'x', 7, [], [twilio]])('is refused when it is %j', (body) => {
    expect(() => readCredentials('sms', body, undefined)).toThrow(/Expected the credentials as a JSON object/)
  })
})

describe('the pair of web push', () => {
  const pair = createWebPushCredentials(subject)
  const known = { publicKey: pair.publicKey, credentials: pair }
  const read = (sent: object, from?: Parameters<typeof readCredentials>[2]) =>
    readCredentials('webpush', sent, from).credentials

  it('is made when there is none', () => {
    const made = read({ subject })
    expect(made).toMatchObject({ subject })
    expect(Buffer.from(made.publicKey, 'base64url')).toHaveLength(65)
    expect(read({ subject }).publicKey).not.toBe(made.publicKey)
    expect(() => read({})).toThrow('subject is missing')
    expect(() => read({ subject: 'me' })).toThrow('subject: expected mailto:')
  })

  it('stays when there is one, with a new subject where that is given', () => {
    expect(read({}, known)).toEqual(pair)
    expect(read({ subject: 'https://shop.example' }, known)).toEqual({ ...pair, subject: 'https://shop.example' })
  })

  it('is put in place of another only when that is said', () => {
    const other = createWebPushCredentials(subject)
    expect(() => read(other, known)).toThrow(/every web push subscription is bound to it.*Say replace/)
    expect(read({ ...other, replace: true }, known)).toEqual(other)
    expect(read({ replace: true }, known).publicKey).not.toBe(pair.publicKey)
    expect(read(pair, known)).toEqual(pair)
  })

  it('that cannot be opened is not lost: the same pair may be given again', () => {
    const unreadable = { publicKey: pair.publicKey, credentials: undefined }
    expect(() => read({ subject }, unreadable)).toThrow('cannot be opened here')
    expect(read(pair, unreadable)).toEqual(pair)
  })

  it('is refused when one half is missing', () => {
    expect(() => read({ publicKey: pair.publicKey, subject })).toThrow('privateKey is missing')
  })
})
