import { expect, it } from 'vitest'
import * as contract from './messages.ts'
import { checker } from './schema/check.ts'
import type { Endpoint } from './schema/endpoint.ts'

const endpoints = Object.entries(contract).filter(([, value]) => 'summary' in Object(value)) as [string, Endpoint][]

it.each(endpoints)('the example of %s is as the endpoint says', (_name, endpoint) => {
  const { body, query, params, answer } = structuredClone(endpoint.example)
  if (endpoint.body) expect(checker(endpoint.body)(body).fault).toBeUndefined()
  if (endpoint.query) expect(checker(endpoint.query)(query ?? {}).fault).toBeUndefined()
  if (endpoint.params) expect(checker(endpoint.params)(params).fault).toBeUndefined()
  expect(checker(endpoint.answer)(answer).fault).toBeUndefined()
})
