import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { timeOrderedId } from '../ids.ts'
import { dropMonth, listMonths } from './months.ts'
import { createPartitions, partitionedTables } from './partitions.ts'

const [untouched, store] = [await createTestStore(), await createTestStore()]
const now = new Date()
const months = { first: 0, last: 2 }

/** Reads a table and keeps its lock until it is let go. */
async function readAndStay(table: string, database = store) {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: hasRead, resolve: recordRead } = Promise.withResolvers<void>()
  const reading = database.transaction(async (tx) => {
    await tx.query({ text: `select count(*) from ${table}`, values: [] } as never)
    recordRead()
    await held
  })
  await hasRead
  return async () => {
    letGo()
    await reading
  }
}

it('a month that readers leave no gap for is put off; nobody waits behind it, and other tables get theirs', async () => {
  const letGo = await readAndStay('messages', untouched)
  const making = createPartitions(untouched, now, months)
  let isOver = false
  void making.finally(() => {
    isOver = true
  })
  let asked = 0
  // Who waits for the lock makes these wait, for as long as the first reader stays.
  while (!isOver) {
    await untouched.query(sql`select count(*) from messages`)
    asked++
  }
  expect(asked).toBeGreaterThan(0)
  expect((await making).map(({ table }) => table)).toEqual(['messages'])
  await letGo()
  expect(await createPartitions(untouched, now, months)).toEqual([])
  for (const table of partitionedTables) expect((await listMonths(untouched, table)).length).toBe(3)
})

it('a month that went to the default partition while it was being made is moved in the end', async () => {
  const later = new Date(Date.UTC(now.getUTCFullYear() + 2, 5, 15))
  const id = timeOrderedId(later)
  const letGo = await readAndStay('receipts')
  const making = createPartitions(store, later, { first: 0, last: 0 })
  await store.query(sql`
    insert into receipts (app_id, message_id, installation_no, kind, happened_at, received_at) values (1, ${id}, 1, 'shown', now(), now())`)
  expect((await making).map(({ table }) => table)).toEqual(['receipts'])
  await letGo()
  expect(await createPartitions(store, later, { first: 0, last: 0 })).toEqual([])
  const [row] = await store.query<{ place: string }>(
    sql`select tableoid::regclass::text as place from receipts where message_id = ${id}`,
  )
  expect(row?.place).toBe(`receipts_${later.toISOString().slice(0, 7).replace('-', '')}`)
})

it('a month that is dropped makes nobody wait behind a reader either', async () => {
  await createPartitions(store, now, months)
  const [month] = (await listMonths(store, 'events')).slice(-1)
  if (!month) throw new Error('there is no month')
  const letGo = await readAndStay('events')
  let isOver = false
  const dropping = dropMonth(store, month).finally(() => {
    isOver = true
  })
  dropping.catch(() => undefined)
  while (!isOver) await store.query(sql`select count(*) from events`)
  await expect(dropping).rejects.toMatchObject({ code: 'store-busy' })
  await letGo()
  await dropMonth(store, month)
  expect(await listMonths(store, 'events')).not.toContainEqual(month)
})
