import { expect, it } from 'vitest'
import { roles } from '#base/config.ts'
import { addressesOfMachine, findPlainHttp } from './find-plain-http.ts'

const production = { mode: 'production', tls: undefined, roles: [...roles] } as const
const machine = ['127.0.0.1', '10.0.0.7', '203.0.114.9', 'fe80::1']

it.each([
  ['::', machine, '203.0.114.9'],
  ['0.0.0.0', machine, '203.0.114.9'],
  ['203.0.114.9', machine, '203.0.114.9'],
  ['2a00:1450:4001::1', machine, '2a00:1450:4001::1'],
  ['::', ['127.0.0.1', '10.0.0.7', '192.168.1.2', '::1', 'fe80::1', 'fd00::1'], undefined],
  ['127.0.0.1', machine, undefined],
  ['::1', machine, undefined],
  ['10.0.0.7', machine, undefined],
])('listening on %s of %j speaks plain HTTP at %s', (listening, addresses, expected) => {
  expect(findPlainHttp(production, listening, addresses)).toBe(expected)
})

it('is fine with TLS, in development, and where nobody sends a token', () => {
  const tls = { certificate: 'c', key: 'k', variables: ['C', 'K'] } as const
  expect(findPlainHttp({ ...production, tls }, '203.0.114.9', machine)).toBeUndefined()
  expect(findPlainHttp({ ...production, mode: 'development' }, '203.0.114.9', machine)).toBeUndefined()
  expect(findPlainHttp({ ...production, roles: ['worker'] }, '203.0.114.9', machine)).toBeUndefined()
  expect(findPlainHttp({ ...production, roles: ['connection'] }, '203.0.114.9', machine)).toBe('203.0.114.9')
})

it('does without the addresses of the machine where they cannot be had', () => {
  const refused = () => {
    throw new Error('uv_interface_addresses')
  }
  expect(addressesOfMachine(refused)).toEqual([])
  expect(addressesOfMachine().length).toBeGreaterThan(0)
})
