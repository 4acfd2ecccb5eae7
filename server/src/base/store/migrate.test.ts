import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createTestStore } from '../../../../test/helpers/test-store.ts'
import { migrate } from './migrate.ts'
import { createPartitions, dropPartitions } from './partitions.ts'

const store = await createTestStore()

it('applies each migration once', async () => {
  const applied: string[] = []
  await Promise.all([migrate(store, (name) => applied.push(name)), migrate(store, (name) => applied.push(name))])
  expect(applied).toEqual([])
})

it('makes months ahead once, and drops those that are over', async () => {
  const now = new Date()
  await createPartitions(store, now)
  expect(await dropPartitions(store, 'events', 400, now)).toEqual([])
  const later = new Date(Number(now) + 500 * 86_400_000)
  await createPartitions(store, later)
  expect((await dropPartitions(store, 'events', 400, later)).length).toBeGreaterThan(0)
  const left = await store.query(sql`select 1 from pg_inherits where inhparent = 'events'::regclass`)
  expect(left.length).toBeGreaterThan(4)
})
