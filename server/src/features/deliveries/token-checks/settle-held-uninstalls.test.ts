import { createTestApp, createTestStore } from '@peyk/test/database/test-store.ts'
import { until } from '@peyk/test/runner/until.ts'
import sql from 'sql-template-tag'
import { expect, it } from 'vitest'
import { markUninstalled } from '../../installations/uninstalls/mark-uninstalled.ts'
import { settleHeldUninstalls } from './settle-held-uninstalls.ts'

const store = await createTestStore()

it('waits for nobody who waits for it, however many parts it takes', async () => {
  const ctx = await createTestApp(store)
  await store.query(sql`
    insert into users (app_id, user_id) select ${ctx.app.id}, 'user-' || n from generate_series(1, 5_001) n`)
  await store.query(sql`
    insert into installations (app_id, id, user_no, installed_at, launched_at, logged_in_at, is_guest, device_type)
    select app_id, gen_random_uuid(), user_no, now(), now(), now(), false, 'android'
    from users where app_id = ${ctx.app.id} order by user_no`)
  await store.query(sql`
    insert into installation_details (app_id, installation_no, device_token, device_token_hash)
    select app_id, installation_no, 'T' || installation_no, sha256(('T' || installation_no)::bytea)
    from installations where app_id = ${ctx.app.id}`)
  await store.query(sql`
    insert into held_uninstalls (app_id, provider, installation_no, device_token)
    select app_id, 'fcm', installation_no, device_token from installation_details where app_id = ${ctx.app.id}`)
  await store.query(sql`analyze users, installations, installation_details, held_uninstalls`)
  const [{ last } = { last: 0 }] = await store.query<{ last: number }>(
    sql`select max(installation_no) as last from installations where app_id = ${ctx.app.id}`,
  )

  let attempts = 0
  let settling: Promise<{ count: number }> | undefined
  await store.transaction(async (tx) => {
    attempts++
    await tx.query(sql`
      select 1 from installations where app_id = ${ctx.app.id} and installation_no = ${last} for no key update`)
    settling ??= store.transaction(async (own) => {
      attempts++
      return settleHeldUninstalls({ ...ctx, tx: own }, { provider: 'fcm', isGone: true })
    })
    await until(
      () =>
        store.query(sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`),
      (waiting) => waiting.length > 0,
    )
    expect(await markUninstalled({ ...ctx, tx }, { installations: [{ installationNo: last }] })).toEqual({ count: 1 })
  })
  expect(await settling).toEqual({ count: 5_000 })
  expect(attempts).toBe(2)
})
