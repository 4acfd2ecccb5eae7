import { createTestStore } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { afterEach, expect, it, vi } from 'vitest'
import { openReader, type Reader } from './open-reader.ts'
import { openStore, type Store } from './store.ts'

const store = await createTestStore()
let reader: Reader

afterEach(() => reader.close())

/** Whether it is asked is what the reader thinks of it. */
function openReplica(over: Partial<Store> = {}): Store {
  const replica = openStore(store.url, { poolSize: 2, isReadOnly: true })
  return { ...replica, ...over }
}

async function isReadOnly(): Promise<boolean> {
  const [row] = await reader.store.query<{ is_on: string }>(
    sql`select current_setting('transaction_read_only') as is_on`,
  )
  return row?.is_on === 'on'
}

it('asks a replica that has kept up, also within a transaction', async () => {
  reader = openReader(store, openReplica())
  await until(isReadOnly, Boolean)
  const inside = await reader.store.transaction((tx) =>
    tx.query<{ is_on: string }>(sql`select current_setting('transaction_read_only') as is_on`),
  )
  expect(inside[0]?.is_on).toBe('on')
})

it('asks the primary when the replica is away, from the very question on that it did not answer', async () => {
  const replica = openReplica()
  const changes: boolean[] = []
  reader = openReader(store, replica, (isAsked) => changes.push(isAsked))
  await until(isReadOnly, Boolean)
  vi.spyOn(replica, 'query').mockRejectedValue(Object.assign(new Error('gone'), { code: 'ECONNREFUSED' }))
  expect(await isReadOnly()).toBe(false)
  expect(changes).toEqual([true, false])
})

it('asks the primary while the replica is behind', async () => {
  const looked = vi.fn()
  const behind = openReplica()
  const { query } = behind
  behind.query = <Row extends object>(statement: Parameters<Store['query']>[0], name?: string) => {
    if (!statement.text.includes('pg_last_wal_replay_lsn')) return query<Row>(statement, name)
    looked()
    return Promise.resolve([{ position: '1' } as unknown as Row])
  }
  reader = openReader(store, behind)
  await until(
    () => looked.mock.calls.length,
    (count) => count > 1,
  )
  expect(await isReadOnly()).toBe(false)
})

it('passes on what the replica refuses for another reason', async () => {
  reader = openReader(store, openReplica())
  await until(isReadOnly, Boolean)
  await expect(reader.store.query(sql`select 1 / 0`)).rejects.toMatchObject({ code: '22012' })
  expect(await isReadOnly()).toBe(true)
})
