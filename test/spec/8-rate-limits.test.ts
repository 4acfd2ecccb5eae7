import { expect, it } from 'vitest'
import { type Answer, createTestServer } from '../helpers/service/test-server.ts'

const { call, baseUrl } = await createTestServer({ env: { PEYK_RATE_TOKEN: '5', PEYK_RATE_FAILED_TOKENS: '3' } })

it('a token that asks too often is told when to come again', async () => {
  // So many that there are too many in one of two windows, should another begin meanwhile.
  const answers = await Promise.all(Array.from({ length: 12 }, () => call('GET', '/api/installations/tags')))
  expect(answers.map(({ status }) => status)).toContain(200)
  const refused = answers.find(({ status }) => status === 429) as Answer
  expect(refused.body.error.code).toBe('too-many-requests')
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
})

it('an address that tries many tokens is slowed down', async () => {
  const tryToken = (index: number) =>
    fetch(`${baseUrl}/api/installations/tags?access_token=${String(index).repeat(40)}`)
  const statuses: number[] = []
  for (let index = 0; index < 8; index++) statuses.push((await tryToken(index)).status)
  expect(statuses[0]).toBe(401)
  expect(statuses).toContain(429)
})
