import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { poll } from '@peyk/test/runner/poll.ts'
import sql from 'sql-template-tag'
import { it } from 'vitest'
import { lockUsers } from './lock-users.ts'

const store = await createTestStore()

it('locks users in the order of their numbers, whatever order they are named in', async () => {
  const { app } = await createTestApp(store)
  const names = ['a', 'b', 'c', 'd']
  const rows = await store.query<{ user_no: number }>(sql`
    insert into users (app_id, user_id) select ${app.id}, unnest(${names}::text[]) returning user_no`)
  const numbers = rows.map(({ user_no }) => user_no).sort((one, other) => one - other)
  const last = numbers.at(-1)
  const end = Promise.withResolvers<void>()
  const isHeld = Promise.withResolvers<void>()
  const holding = store.transaction(async (tx) => {
    await tx.query(sql`select from users where app_id = ${app.id} and user_no = ${last} for update`)
    isHeld.resolve()
    await end.promise
  })
  await isHeld.promise
  const keys = names.toReversed().map((userId) => ({ appId: app.id, userId, makes: false }))
  const locking = store.transaction((tx) => lockUsers(tx, keys))
  // Who waits for the last has all others already.
  const readFree = () =>
    store.query(sql`select user_no from users where app_id = ${app.id} order by user_no for update skip locked`)
  try {
    await poll(readFree).toEqual([])
  } finally {
    end.resolve()
    await Promise.all([holding, locking])
  }
})
