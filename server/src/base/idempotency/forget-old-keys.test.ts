import { createTestStore } from '@peyk/test/database/test-store.ts'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { forgetOldKeys } from './forget-old-keys.ts'

const store = await createTestStore()

test('idempotency keys are forgotten after 30 days, however many there are', async () => {
  const now = new Date(Date.UTC(2026, 10, 15))
  await store.query(sql`
    insert into idempotency_keys (app_id, route, key, body_hash, answer, created_at)
    select 1, 'POST /x', 'old-' || n, ''::bytea, '{}'::jsonb, ${now}::timestamptz - interval '31 days' from generate_series(1, 12000) n
    union all
    select 1, 'POST /x', 'new', ''::bytea, '{}'::jsonb, ${now}::timestamptz - interval '29 days'`)
  await forgetOldKeys({ store, now: () => now })
  expect(await store.query(sql`select key from idempotency_keys`)).toEqual([{ key: 'new' }])
})
