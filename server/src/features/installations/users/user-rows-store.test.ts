import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import type { Transaction } from '#base/store/store.ts'
import { countAndLookForForgotten, countInstallations, countInstallationsOf } from './user-rows-store.ts'

const store = await createTestStore()
const named = [{ appId: 1, userId: 'sara' }]

it.each([
  ['named', (tx: Transaction) => countInstallationsOf(tx, named)],
  ['named, with a look for who was deleted', (tx: Transaction) => countAndLookForForgotten(tx, named)],
  ['numbered', (tx: Transaction) => countInstallations(tx, [{ appId: 1, userNo: 1 }])],
])('installations of users are counted by user while PostgreSQL has no statistics: %s', async (_, count) => {
  const plan: string[] = []
  await store.transaction(async (tx) => {
    const query: Transaction['query'] = async (statement) => {
      const rows = await tx.query<{ 'QUERY PLAN': string }>(sql`explain ${statement}`)
      plan.push(...rows.map((row) => row['QUERY PLAN']))
      return []
    }
    await count({ ...tx, query })
  })
  const indexes = plan.flatMap((line) => line.match(/installations_by_\w+/g) ?? [])
  expect(new Set(indexes)).toEqual(new Set(['installations_by_user']))
})
