import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { timeOrderedId } from '../ids.ts'
import { migrate } from './migrate.ts'
import { createPartitions } from './partitions.ts'

const store = await createTestStore()

it('applies each migration once', async () => {
  const applied: string[] = []
  await Promise.all([migrate(store, (name) => applied.push(name)), migrate(store, (name) => applied.push(name))])
  expect(applied).toEqual([])
})

it('makes months ahead once, and moves over what a wrong clock put elsewhere', async () => {
  const now = new Date()
  await createPartitions(store, now)
  const later = new Date(Number(now) + 500 * 86_400_000)
  const id = timeOrderedId(later)
  await store.query(sql`
    insert into receipts (app_id, message_id, installation_no, kind, happened_at, received_at) values (1, ${id}, 1, 'shown', now(), now())`)
  const place = async () => {
    const [row] = await store.query<{ place: string }>(
      sql`select tableoid::regclass::text as place from receipts where message_id = ${id}`,
    )
    return row?.place
  }
  expect(await place()).toBe('receipts_other')
  await createPartitions(store, later)
  expect(await place()).toBe(`receipts_${later.toISOString().slice(0, 7).replace('-', '')}`)
})
