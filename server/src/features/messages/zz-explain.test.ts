import sql from 'sql-template-tag'
import { it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { insertPersonalMessages } from './insert-personal-messages.ts'
import { draftPersonal } from './draft-personal.ts'
const store = await createTestStore()
it('explain', async () => {
  const ctx = await createTestApp(store)
  await store.query(sql`
      with u as (insert into users (app_id, user_id) select ${ctx.app.id}, 'u' || n from generate_series(1, 1200) n returning user_no)
      insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, is_guest, id, device_type)
      select ${ctx.app.id}, user_no, now(), now(), now(), false, gen_random_uuid(), 'android' from u`)
  const users = Array.from({ length: 3000 }, (_, index) => `u${index + 1}`)
  const d = draftPersonal({ users, content: 'x' }, { appId: ctx.app.id, product: 'message', at: new Date() })
  await store.transaction(async (tx) => {
    await insertPersonalMessages({ query: async (s: any) => {
      const rows = await tx.query<any>({ ...s, text: 'explain (analyze, buffers off) ' + s.text, values: s.values } as never)
      console.log(rows.map((r) => r['QUERY PLAN']).join('\n'))
      return []
    } } as never, [d as never])
  })
})
