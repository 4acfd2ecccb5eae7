import sql, { raw } from 'sql-template-tag'
import { it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { findReceivers } from './find-receivers.ts'
import { draftPersonal } from './draft-personal.ts'
const store = await createTestStore()
it('explain', async () => {
  const ctx = await createTestApp(store)
  await store.query(sql`
      with u as (insert into users (app_id, user_id) select ${ctx.app.id}, 'u' || n from generate_series(1, 20000) n returning user_no)
      insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, is_guest, id, device_type)
      select ${ctx.app.id}, user_no, now(), now(), now(), false, gen_random_uuid(), 'android' from u`)
  const drafts = Array.from({ length: 64 }, (_, n) => draftPersonal({ user: `u${n}`, content: 'x' }, { appId: ctx.app.id, product: 'message', at: new Date() }))
  const run = () => findReceivers({ query: async (s: any) => {
      const rows = await store.query<any>({ ...s, text: 'explain (analyze, buffers off) ' + s.text, values: s.values } as never)
      console.log(rows.map((r) => r['QUERY PLAN']).join('\n'))
      return []
    } } as never, drafts as never)
  await run()
  await store.query(raw('analyze'))
  await run()
})
