import { expect, test } from 'vitest'
import { addressGroup, isLoopback } from './address-group.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['2001:db8::1:2:3:4:5', '2001:db8:0:1::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['unknown', 'unknown'],
])('%s belongs to %s', (address, group) => {
  expect(addressGroup(address)).toBe(group)
})

test.each([
  ['127.0.0.1', true],
  ['127.8.9.1', true],
  ['::1', true],
  ['::ffff:127.0.0.1', true],
  ['203.0.113.9', false],
  ['::2', false],
])('%s is of this machine: %s', (address, expected) => {
  expect(isLoopback(address)).toBe(expected)
})
