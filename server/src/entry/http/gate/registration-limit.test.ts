import { expect, test } from 'vitest'
import { loadConfig } from '#base/config.ts'
import { RegistrationLimit } from './registration-limit.ts'

let nowMs = 0
const from = (address: string, isOwn = false) => ({ address, isOwn })
const open = (env: Record<string, string> = {}) => new RegistrationLimit(loadConfig(env), () => nowMs)
const takeMany = (limit: RegistrationLimit, count: number, address: string, key = 'key') => {
  for (let taken = 0; taken < count; taken++) limit.take(from(address), key)
}

test('an address makes as many new installations as it may, and more when the time is over', () => {
  const limit = open({ PEYK_RATE_REGISTRATIONS: '5' })
  takeMany(limit, 5, '203.0.113.5')
  nowMs += 540_000
  expect(() => limit.take(from('203.0.113.5'), 'key')).toThrow(
    'More than 5 new installations from one address in 10 minutes. Try again in 60 s.',
  )
  limit.take(from('203.0.113.6'), 'key')
  limit.take(from('203.0.113.5'), 'other key')
  nowMs += 60_000
  takeMany(limit, 5, '203.0.113.5')
  expect(() => limit.take(from('203.0.113.5'), 'key')).toThrow(expect.objectContaining({ retryAfterSeconds: 600 }))
})

test('programs of this machine are exempt in development only, and unless there is a setting', () => {
  const own = from('127.0.0.1', true)
  const takeAll = (limit: RegistrationLimit, count: number) => {
    for (let taken = 0; taken < count; taken++) limit.take(own, 'key')
  }
  takeAll(open({ PEYK_MODE: 'development' }), 1_001)
  const production = open({ PEYK_MODE: 'production' })
  takeAll(production, 1_000)
  expect(() => production.take(own, 'key')).toThrow('More than 1000')
  const set = open({ PEYK_MODE: 'development', PEYK_RATE_REGISTRATIONS: '5' })
  takeAll(set, 5)
  expect(() => set.take(own, 'key')).toThrow('More than 5')
})

test('what a proxy on this machine forwards is limited, whatever the mode', () => {
  const limit = open({ PEYK_MODE: 'development' })
  takeMany(limit, 1_000, '127.0.0.1')
  expect(() => limit.take(from('127.0.0.1'), 'key')).toThrow('More than 1000')
})

test('without a setting it is 1,000', () => {
  const limit = open()
  takeMany(limit, 1_000, '203.0.113.5')
  expect(() => limit.take(from('203.0.113.5'), 'key')).toThrow('More than 1000')
})
