import { expect, it } from 'vitest'
import { describeFault } from './describe-fault.ts'

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
