import { expect, it } from 'vitest'
import { ConfigError, loadConfig } from '../../config.ts'
import { readNatsAddress } from './nats-address.ts'

it.each([
  ['nats://one', { servers: ['one:4222'], isTls: false }],
  ['nats://one:5222,two', { servers: ['one:5222', 'two:4222'], isTls: false }],
  ['nats://one, nats://two:1', { servers: ['one:4222', 'two:1'], isTls: false }],
  ['tls://u:p%40ss@one,two/', { servers: ['one:4222', 'two:4222'], user: 'u', pass: 'p@ss', isTls: true }],
  ['nats://s3cret@[::1]:4333', { servers: ['[::1]:4333'], token: 's3cret', isTls: false }],
])('reads %s', (text, expected) => {
  expect(readNatsAddress(text)).toEqual(expected)
})

it.each(['', 'one:4222', 'http://one', 'nats://', 'nats://one/path', 'nats://one,,two', 'nats://u:p@'])(
  'refuses "%s"',
  (text) => {
    expect(readNatsAddress(text)).toBeUndefined()
  },
)

it('a setting that cannot be read is refused without its secrets', () => {
  const env = { PEYK_NATS_URL: 'nats://user:s3cret@one/path' }
  expect(() => loadConfig(env)).toThrow(ConfigError)
  expect(() => loadConfig(env)).toThrow(expect.not.stringContaining('s3cret'))
})
