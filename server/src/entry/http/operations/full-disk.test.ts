import { poll } from '@peyk/test/runner/poll.ts'
import { createTestServer } from '@peyk/test/service/test-server.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { roles } from '#base/config.ts'

const { store, baseUrl, call } = await createTestServer({ env: { PEYK_TEST_DURATIONS: '{"storeFullMs":5000}' } })

const readReady = async () => {
  const answer = await fetch(`${baseUrl}/ready`)
  return { status: answer.status, body: await answer.json() }
}

it('/ready stays ready while the disk of the database is full, and says that nothing is stored', async () => {
  const ready = { status: 200, body: { status: 'ready', roles } }
  expect(await readReady()).toEqual(ready)
  await store.query(sql`
    create function fill_disk() returns trigger language plpgsql as
    $$ begin raise exception using errcode = 'disk_full', message = 'No space left on device'; end $$`)
  await store.query(sql`create trigger fill_disk before insert on messages for each row execute function fill_disk()`)
  const refused = await call('POST', '/api/push/toUsers', { user: 'somebody', content: 'Hello' })
  expect(refused).toMatchObject({ status: 503, body: { error: { code: 'store-full' } } })
  expect(refused.headers.get('retry-after')).toBe('30')
  expect(await readReady()).toEqual({ status: 200, body: { status: 'ready', roles, storing: 'refused' } })
  // Reads go on.
  expect((await call('GET', '/api/messages')).status).toBe(200)

  await store.query(sql`drop trigger fill_disk on messages`)
  expect((await call('POST', '/api/push/toUsers', { user: 'somebody', content: 'Hello' })).status).toBe(200)
  await poll(readReady).toEqual(ready)
})
