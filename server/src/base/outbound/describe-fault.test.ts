import { expect, it } from 'vitest'
import { describeFault, faultInWords } from './describe-fault.ts'

const withCode = (code: string, message = 'internal words') => Object.assign(new Error(message), { code })

it.each([
  [withCode('ECONNREFUSED'), 'connection refused'],
  [new AggregateError([withCode('ENETUNREACH'), withCode('ECONNREFUSED')]), 'the network cannot be reached'],
  [withCode('CERT_HAS_EXPIRED'), 'the certificate is not trusted: it has expired'],
  [withCode('ERR_SSL_SOMETHING', 'odd\nsecond line'), 'the TLS handshake failed: odd'],
  [withCode('HPE_INVALID_CONSTANT'), 'the other side does not speak HTTP'],
  [new Error('x'.repeat(500)), 'x'.repeat(200)],
  [undefined, 'the connection was closed'],
])('says in plain words what %s means', (error, words) => {
  expect(describeFault(error)).toBe(words)
})

it.each([
  [describeFault(withCode('ENOTFOUND')), 'name-not-found'],
  [describeFault(withCode('EAI_AGAIN')), 'name-not-found'],
  ['no access token from Google: the host name is not known', 'name-not-found'],
  ['the host sms.example could not be resolved', 'name-not-found'],
  [describeFault(withCode('ECONNREFUSED')), 'connection-refused'],
  [describeFault(withCode('ETIMEDOUT')), 'timed-out'],
  ['no connection within 10 s', 'timed-out'],
  ['no answer within 0.5 s.', 'timed-out'],
  ['no answer in time', 'timed-out'],
  [describeFault(withCode('CERT_HAS_EXPIRED')), 'certificate'],
  [describeFault(withCode('ECONNRESET')), 'network'],
  [describeFault(withCode('ERR_SSL_SOMETHING', 'odd')), 'network'],
  [describeFault(undefined), 'network'],
  ['FCM 503 UNAVAILABLE', undefined],
  ['the host sms.example is not on the public internet', undefined],
  ['', undefined],
])('knows which fault “%s” tells', (words, fault) => {
  expect(faultInWords(words)).toBe(fault)
})
