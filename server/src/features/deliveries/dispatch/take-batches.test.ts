import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../../test/helpers/database/test-store.ts'
import { takeBatches } from './take-batches.ts'

const store = await createTestStore()

it('takes of every app in its turn, however much the others have', async () => {
  const apps = [await createTestApp(store), await createTestApp(store), await createTestApp(store)].map(
    ({ app }) => app,
  )
  for (const { id } of apps) {
    await store.query(sql`
      insert into delivery_batches (app_id, message_id, lane, installation_nos)
      select ${id}, ${randomUUID()}, 'personal', '{1}' from generate_series(1, 1000)`)
  }
  const wanted = {
    lane: 'personal',
    lease: { holder: randomUUID(), ms: 10_000 },
    blocked: [],
    perStream: 10,
    limit: 20,
  } as const
  const taken = new Set<number>()
  for (let turn = 0; turn < 50; turn++) for (const { appId } of await takeBatches(store, wanted)) taken.add(appId)
  expect(taken).toEqual(new Set(apps.map(({ id }) => id)))
})

it('takes nothing of a stream that is blocked', async () => {
  const { app } = await createTestApp(store)
  await store.query(sql`
    insert into delivery_batches (app_id, message_id, lane, stream, installation_nos)
    values (${app.id}, ${randomUUID()}, 'group', 'fcm', '{1}'), (${app.id}, ${randomUUID()}, 'group', 'apns', '{2}')`)
  const wanted = { lane: 'group', lease: { holder: randomUUID(), ms: 10_000 }, perStream: 10, limit: 20 } as const
  const rows = await takeBatches(store, { ...wanted, blocked: [`${app.id}/fcm`] })
  expect(rows.map(({ stream }) => stream)).toEqual(['apns'])
})
