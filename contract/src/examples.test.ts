import { expect, test } from 'vitest'
import * as contract from './index.ts'
import { checker } from './schema/check.ts'
import type { Endpoint } from './schema/endpoint.ts'

const endpoints = (Object.entries(contract) as [string, Endpoint][]).filter(
  ([, value]) => typeof value === 'object' && 'example' in value && 'answer' in value,
)

test.each(endpoints)('the example of %s fits its own schemas', (_, endpoint) => {
  const { body, query, params, answer } = endpoint.example
  const bodies = endpoint.onlyBodies ? (body as unknown[]) : body === undefined ? [] : [body]
  if (!endpoint.file) {
    for (const each of bodies)
      expect(checker(endpoint.body as NonNullable<typeof endpoint.body>)(each)).toEqual({ value: each })
  }
  if (endpoint.query) expect(checker(endpoint.query)(query ?? {}).fault).toBeUndefined()
  if (endpoint.params && params) expect(checker(endpoint.params)(params).fault).toBeUndefined()
  expect(checker(endpoint.answer)(answer)).toEqual({ value: answer })
})

test('there are as many endpoints as there seem to be', () => {
  expect(endpoints.length).toBeGreaterThan(100)
})
