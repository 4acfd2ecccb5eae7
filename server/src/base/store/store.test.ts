import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'

const store = await createTestStore()

it('a transaction in which a statement failed is not taken for committed, also when nobody minded', async () => {
  const work = store.transaction(async (tx) => {
    await tx.query(sql`create table kept (number integer)`)
    await tx.query(sql`select 1 / 0`).catch(() => undefined)
  })
  await expect(work).rejects.toThrow('rolled back')
  expect(await store.query(sql`select from pg_tables where tablename = 'kept'`)).toEqual([])
})

it('refuses a bigint that would become another number, and stays usable', async () => {
  const read = (text: string) => store.query<{ value: number }>(sql`select ${text}::bigint as value`)
  expect(await read('-9007199254740991')).toEqual([{ value: -9_007_199_254_740_991 }])
  await expect(read('9007199254740993')).rejects.toThrow('9007199254740993 is too large for a number')
  expect(await read('1')).toEqual([{ value: 1 }])
})

it('keeps the plan of a named statement, however few its arrays hold', async () => {
  const ask = (ids: number[]) =>
    store.query<{ id: number }>(
      sql`select k.id from unnest(${ids}::bigint[]) as k(id) where k.id = any(${[2, 3]}::int[]) and k.id <> all (${[3]}::int[])`,
      'a-statement-with-arrays',
    )
  for (let round = 0; round < 10; round++) expect(await ask([1, 2, 3])).toEqual([{ id: 2 }])
  const rows = await store.transaction(async (tx) => {
    for (let round = 0; round < 10; round++)
      await tx.query(sql`select from apps where app_id = any(${[1]}::int[])`, 'another-one')
    return tx.query<{ custom: number; generic: number }>(
      sql`select custom_plans as custom, generic_plans as generic from pg_prepared_statements where name = 'another-one'`,
    )
  })
  expect(rows).toEqual([{ custom: 5, generic: 5 }])
})
