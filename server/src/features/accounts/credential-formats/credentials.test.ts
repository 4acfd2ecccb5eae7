import { createECDH, generateKeyPairSync } from 'node:crypto'
import { unreadableCodes } from '@peyk/contract'
import { describe, expect, it } from 'vitest'
import { RequestError } from '#base/errors.ts'
import { readApnsCredentials, shownApnsCredentials } from './apns.ts'
import { readFcmCredentials, shownFcmCredentials } from './fcm.ts'
import { readSmsCredentials, shownSmsCredentials } from './sms.ts'
import { createWebPushCredentials, readWebPushCredentials, shownWebPushCredentials } from './web-push.ts'

const pem = { type: 'pkcs8', format: 'pem' } as const
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const rsaPem = rsa.privateKey.export(pem).toString()
const shortRsaPem = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export(pem).toString()
const publicPem = rsa.publicKey.export({ type: 'spki', format: 'pem' }).toString()
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
const ecPem = ec.export(pem).toString()
const lockedPem = ec.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }).toString()
const otherCurvePem = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export(pem).toString()

/** Refused as the caller's fault, in these words, and without giving the secret back. */
function expectRefused(read: () => unknown, words: string | RegExp) {
  try {
    read()
  } catch (error) {
    expect(error).toBeInstanceOf(RequestError)
    expect((error as RequestError).code).toBe('invalid-request')
    expect((error as RequestError).message).toMatch(words)
    expect((error as RequestError).details?.finding).toMatchObject({ code: expect.toBeOneOf([...unreadableCodes]) })
    expect((error as RequestError).message).not.toContain(rsaPem.slice(60, 100))
    expect((error as RequestError).message).not.toContain(ecPem.slice(60, 100))
    return
  }
  expect.fail('it was taken')
}

const oddThings = [
  undefined,
  null,
  '',
  'x',
  7,
  true,
  [],
  {},
  '[]',
  '{',
  { toString: 1 },
  JSON.parse('{"__proto__":{"type":"service_account"}}'),
]

describe('the service account of FCM', () => {
  const file = {
    type: 'service_account',
    project_id: 'shop-1a2b3',
    private_key_id: 'abc',
    private_key: rsaPem,
    client_email: 'firebase-adminsdk@shop-1a2b3.iam.gserviceaccount.com',
    token_uri: 'https://oauth2.googleapis.com/token',
  }

  it('is read from the object, from the text of the file, and with its line ends written as \\n', () => {
    const read = readFcmCredentials(file)
    expect(read).toEqual({
      projectId: 'shop-1a2b3',
      clientEmail: file.client_email,
      privateKey: rsaPem,
      privateKeyId: 'abc',
      tokenUri: file.token_uri,
    })
    expect(readFcmCredentials(JSON.stringify(file))).toEqual(read)
    expect(readFcmCredentials({ ...file, private_key: rsaPem.replaceAll('\n', '\\n') })).toEqual(read)
    expect(shownFcmCredentials(read)).toEqual({
      projectId: 'shop-1a2b3',
      clientEmail: file.client_email,
      privateKeyId: 'abc',
    })
  })

  it.each<[what: string, sent: unknown, words: string | RegExp]>([
    ['google-services.json', { project_info: {}, client: [] }, /google-services.json/],
    ['the configuration of a web page', { apiKey: 'x', messagingSenderId: '1' }, /web page/],
    ['an OAuth client', { installed: {} }, /OAuth client/],
    ['a legacy server key', `AAAAabc:${'x'.repeat(140)}`, /legacy server key/],
    ['an API key', `AIza${'x'.repeat(35)}`, /legacy server key/],
    ['a plist', '<?xml version="1.0"?><plist/>', /GoogleService-Info.plist/],
    ['another kind of account', { ...file, type: 'authorized_user' }, /"authorized_user", not "service_account"/],
    ['no project', { ...file, project_id: undefined }, /project_id is missing/],
    ['a project that is a path', { ...file, project_id: '../x' }, /project_id/],
    ['no address', { ...file, client_email: 4 }, /client_email is not a text/],
    ['no key', { ...file, private_key: '' }, /private_key/],
    ['a key that is no PEM', { ...file, private_key: 'abc' }, /no line "-----BEGIN PRIVATE KEY-----"/],
    ['a key that was cut', { ...file, private_key: rsaPem.slice(0, 400) }, /was it cut/],
    ['a public key', { ...file, private_key: publicPem }, /is a public key/],
    ['an EC key', { ...file, private_key: ecPem }, /type ec: expected RSA/],
    ['a short key', { ...file, private_key: shortRsaPem }, /2048 bits/],
    ['a token_uri that is no URL', { ...file, token_uri: 'javascript:1' }, /token_uri/],
  ])('is not %s', (_, sent, words) => expectRefused(() => readFcmCredentials(sent), words))

  it.each(oddThings)('is not %j', (sent) => expectRefused(() => readFcmCredentials(sent), /./))
})

describe('the key of APNs', () => {
  const sent = {
    keyId: 'ABC123DEFG',
    teamId: 'TEAM123456',
    bundleId: 'com.example.shop',
    environment: 'sandbox',
    privateKey: ecPem,
  }
  const p12 = Buffer.from('308209b1020103308209', 'hex')

  it('is read, and shown without the key', () => {
    const read = readApnsCredentials({ ...sent, privateKey: `\n${ecPem.replaceAll('\n', '\r\n')}  ` })
    expect(read).toEqual(sent)
    expect(shownApnsCredentials(read)).toEqual({ ...sent, privateKey: undefined })
  })

  it.each<[what: string, sent: unknown, words: RegExp]>([
    ['a .p12 as base64', { ...sent, privateKey: p12.toString('base64') }, /push certificate/],
    ['a .p12 as text', { ...sent, privateKey: p12.toString('latin1') }, /push certificate/],
    ['a certificate', { ...sent, privateKey: '-----BEGIN CERTIFICATE-----\nx' }, /push certificate/],
    ['a .p12 beside', { ...sent, privateKey: undefined, p12: 'x' }, /push certificate/],
    ['an RSA key', { ...sent, privateKey: rsaPem }, /type rsa/],
    ['another curve', { ...sent, privateKey: otherCurvePem }, /secp384r1/],
    ['a locked key', { ...sent, privateKey: lockedPem }, /protected by a password/],
    ['a file name', { ...sent, privateKey: 'AuthKey_ABC123DEFG.p8' }, /BEGIN PRIVATE KEY/],
    ['a wrong key id', { ...sent, keyId: 'abc' }, /keyId/],
    ['a wrong team id', { ...sent, teamId: 'My Company' }, /teamId/],
    ['a wrong bundle id', { ...sent, bundleId: 'com/example' }, /bundleId/],
    ['no environment', { ...sent, environment: undefined }, /"production".*"sandbox"/],
  ])('is not %s', (_, wrong, words) => expectRefused(() => readApnsCredentials(wrong), words))

  it.each(oddThings)('is not %j', (odd) => expectRefused(() => readApnsCredentials(odd), /./))
})

describe('the key pair of web push', () => {
  const made = createWebPushCredentials('mailto:push@example.com')
  const other = createWebPushCredentials('https://example.com')

  it('is made, read back, and shown without the private key', () => {
    expect(readWebPushCredentials(made)).toEqual(made)
    const base64 = {
      ...made,
      publicKey: Buffer.from(made.publicKey, 'base64url').toString('base64'),
      privateKey: Buffer.from(made.privateKey, 'base64url').toString('base64'),
    }
    expect(readWebPushCredentials(base64)).toEqual(made)
    expect(shownWebPushCredentials(made)).toEqual({ publicKey: made.publicKey, subject: made.subject })
    expect(Buffer.from(made.privateKey, 'base64url')).toHaveLength(32)
  })

  it.each<[what: string, sent: unknown, words: RegExp]>([
    ['two halves of different pairs', { ...made, privateKey: other.privateKey }, /not a pair/],
    ['exchanged keys', { ...made, publicKey: made.privateKey, privateKey: made.publicKey }, /exchanged/],
    ['a PEM', { ...made, privateKey: ecPem }, /PEM/],
    ['not base64', { ...made, publicKey: 'ä' }, /base64url/],
    ['a private key of zeros', { ...made, privateKey: Buffer.alloc(32).toString('base64url') }, /not a pair/],
    ['a compressed point', { ...made, publicKey: compressed() }, /33 bytes/],
    ['no subject', { ...made, subject: undefined }, /subject is missing/],
    ['an address without mailto', { ...made, subject: 'push@example.com' }, /mailto:/],
    ['a page without TLS', { ...made, subject: 'http://example.com' }, /https:/],
  ])('is not %s', (_, wrong, words) => expectRefused(() => readWebPushCredentials(wrong), words))

  it.each(oddThings)('is not %j', (odd) => expectRefused(() => readWebPushCredentials(odd), /./))

  function compressed() {
    const pair = createECDH('prime256v1')
    return pair.generateKeys('base64url', 'compressed')
  }
})

describe('an SMS gateway', () => {
  const sid = `AC${'0a'.repeat(16)}`
  const twilio = { kind: 'twilio', accountSid: sid, authToken: 'secret', from: '+15005550006' }
  const http = {
    kind: 'http',
    method: 'POST',
    url: 'https://sms.example.com/v1/send?key=secret',
    headers: { 'X-Api-Key': 'secret' },
    body: '{"to":"{{to}}","text":"{{ text }}","id":"{{reference}}"}',
    success: { statuses: [200, 202], path: 'status', equals: 'ok' },
    dailyLimit: 50,
  }

  it('of Twilio is read with a number, a name, a short code or a messaging service', () => {
    expect(readSmsCredentials(twilio)).toEqual({
      kind: 'twilio',
      accountSid: sid,
      authToken: 'secret',
      sender: { from: '+15005550006' },
      dailyLimit: 1_000,
    })
    for (const from of ['Peyk Shop', '12345'])
      expect(readSmsCredentials({ ...twilio, from })).toMatchObject({ sender: { from } })
    const messagingServiceSid = `MG${'1b'.repeat(16)}`
    const service = readSmsCredentials({ ...twilio, from: undefined, messagingServiceSid })
    expect(service).toMatchObject({ sender: { messagingServiceSid } })
    expect(shownSmsCredentials(service)).toEqual({
      kind: 'twilio',
      accountSid: sid,
      messagingServiceSid,
      dailyLimit: 1_000,
    })
  })

  it('of any kind is read, and shown without its path, query and headers', () => {
    const read = readSmsCredentials(http)
    expect(read).toEqual({ ...http, headers: { 'x-api-key': 'secret' }, contentType: 'json' })
    expect(shownSmsCredentials(read)).toEqual({
      kind: 'http',
      method: 'POST',
      origin: 'https://sms.example.com',
      dailyLimit: 50,
    })
    const get = { kind: 'http', method: 'GET', url: 'https://sms.example.com/?to={{to}}&m={{text}}' }
    expect(readSmsCredentials(get)).toMatchObject({ headers: {}, success: {}, dailyLimit: 1_000 })
    expect(readSmsCredentials({ ...http, body: { to: '{{to}}', text: '{{text}}' } })).toMatchObject({
      body: '{"to":"{{to}}","text":"{{text}}"}',
    })
  })

  it.each<[what: string, sent: unknown, words: RegExp]>([
    ['of an unknown kind', { kind: 'smpp' }, /"twilio" or "http"/],
    ['with an API key as account', { ...twilio, accountSid: `SK${'0a'.repeat(16)}` }, /API key/],
    ['with a cut account', { ...twilio, accountSid: 'AC12' }, /32 hexadecimal/],
    ['without a token', { ...twilio, authToken: undefined }, /authToken is missing/],
    ['with a token that would break a header', { ...twilio, authToken: 'a\r\nb' }, /authToken/],
    ['without a sender', { ...twilio, from: undefined }, /from is missing/],
    ['with two senders', { ...twilio, messagingServiceSid: `MG${'1b'.repeat(16)}` }, /exclude each other/],
    ['with a sender that is too long', { ...twilio, from: 'A very long name' }, /11 letters/],
    ['with a limit that is no number', { ...twilio, dailyLimit: -1 }, /dailyLimit/],
    ['with another method', { ...http, method: 'DELETE' }, /GET, POST or PUT/],
    ['without a URL', { ...http, url: 'sms.example.com' }, /url/],
    ['with a password in the URL', { ...http, url: 'https://a:b@sms.example.com' }, /user and password/],
    ['with a host to be filled in', { ...http, url: 'https://{{to}}.example.com/' }, /url/],
    ['with an unknown placeholder', { ...http, body: '{"a":"{{phone}}{{to}}{{text}}"}' }, /{{phone}}/],
    ['without a text', { ...http, body: '{"to":"{{to}}"}' }, /{{text}}/],
    ['with bare placeholders in JSON', { ...http, body: '{"to":{{to}},"text":"{{text}}"}' }, /without quotes/],
    ['with a body that is no JSON', { ...http, body: '{{to}} {{text}}' }, /not JSON/],
    ['with a body for GET', { ...http, method: 'GET' }, /a GET has none/],
    ['with a header of ours', { ...http, headers: { Host: 'x' } }, /host is set by the service/],
    ['with a header that breaks out', { ...http, headers: { a: 'x\r\nb: c' } }, /visible ASCII/],
    ['with another content type', { ...http, contentType: 'xml' }, /"json", "form" or "text"/],
    ['with statuses that are none', { ...http, success: { statuses: ['200'] } }, /statuses/],
    ['with half an expression', { ...http, success: { path: 'a' } }, /belong together/],
    ['with an empty text to look for', { ...http, success: { contains: '' } }, /contains/],
  ])('is refused %s', (_, wrong, words) => expectRefused(() => readSmsCredentials(wrong), words))

  it.each(oddThings)('is not %j', (odd) => expectRefused(() => readSmsCredentials(odd), /./))
})
