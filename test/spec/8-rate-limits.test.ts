import { expect, it } from 'vitest'
import { createTestServer } from '../helpers/test-server.ts'

const { call, baseUrl } = await createTestServer({ env: { PEYK_RATE_TOKEN: '5', PEYK_RATE_FAILED_TOKENS: '3' } })

it('a token that asks too often is told when to come again', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 8; index++) statuses.push((await call('GET', '/api/installations/tags')).status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  const refused = await call('GET', '/api/installations/tags')
  expect(refused.body.error.code).toBe('too-many-requests')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('an address that tries many tokens is slowed down', async () => {
  const statuses: number[] = []
  for (let index = 0; index < 6; index++) {
    statuses.push((await fetch(`${baseUrl}/api/installations/tags?access_token=${String(index).repeat(40)}`)).status)
  }
  expect(statuses).toContain(401)
  expect(statuses.at(-1)).toBe(429)
})
