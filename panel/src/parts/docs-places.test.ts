import * as contract from '@peyk/contract'
import { expect, test } from 'vitest'
import { docsHref, referencePlaces } from './docs-places.ts'

test('every place is in the API reference, under its group', () => {
  const endpoints = contract as unknown as Record<string, contract.Endpoint | undefined>
  for (const [group, name] of Object.values(referencePlaces))
    expect([name, endpoints[name]?.group]).toEqual([name, group])
  expect(docsHref('register')).toBe('/docs/#tag/installations-and-users/registerInstallation')
})
