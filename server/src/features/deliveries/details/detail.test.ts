import { expect, test } from 'vitest'
import { choosePath, providerInReason } from '../choose-path.ts'
import { type ProviderName, providerNames } from '../provider.ts'
import { describeCode, describeDetail } from './detail.ts'

test('a code is told in words, and the words of others as they are', () => {
  expect(describeDetail({ detailCode: 'no-credentials', detailProvider: 'apns' })).toBe(
    'the app has no credentials for apns',
  )
  expect(describeDetail({ detail: '404 UNREGISTERED' })).toBe('404 UNREGISTERED')
  expect(describeDetail({})).toBeUndefined()
})

test('the reason for every path is its code in words', () => {
  const flags = [{}, { silent: true }, { inApp: true }, { live: true }]
  const tokens = [null, 'a', 'a'.repeat(64), '{}']
  const presences = [{ isConnected: false }, { isConnected: true }, { isConnected: true, isOpen: true }]
  for (const product of ['message', 'notification'] as const)
    for (const flag of flags)
      for (const token of tokens)
        for (const tokenStatus of [null, 'DENIED'])
          for (const presence of presences)
            for (const names of [new Set(providerNames), new Set<ProviderName>()]) {
              const reach = { deviceType: 'ios', token, tokenStatus, ...presence }
              const path = choosePath({ product, ...flag }, reach, names)
              expect(path.why.startsWith(describeCode(path.code, providerInReason(path))), path.why).toBe(true)
            }
})
