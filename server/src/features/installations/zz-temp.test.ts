import sql from 'sql-template-tag'
import { it } from 'vitest'
import { createTestApp, createTestStore } from '../../../../test/helpers/test-store.ts'
import { addTags } from './add-tags.ts'
import { registerInstallation } from './register-installation.ts'
import { setAttributes } from './set-attributes.ts'
import { updateInstallation } from './update-installation.ts'
import { listTags } from './list-tags.ts'
import { getInstallation } from './get-installation.ts'
import { listInstallationsOfUser } from './list-installations-of-user.ts'
const store = await createTestStore()
it('plans', async () => {
  const ctx = await createTestApp(store)
  const a = ctx.app.id
  await store.query(sql`insert into users (app_id, user_id) select ${a}, 'u' || g from generate_series(1, 100000) g`)
  await store.query(sql`insert into installations (app_id, user_no, installed_at, launched_at, logged_in_at, is_guest, id, device_type) select app_id, user_no, now(), now(), now(), false, gen_random_uuid(), 'web' from users where app_id = ${a}`)
  await store.query(sql`insert into installation_details (app_id, installation_no, device_token, device_token_hash) select app_id, installation_no, id::text, sha256(id::text::bytea) from installations where app_id = ${a}`)
  await store.query(sql`insert into user_tags (app_id, user_no, tag) select app_id, user_no, t from users, unnest(array['a','b']) t where app_id = ${a}`)
  await store.query(sql`insert into user_attributes (app_id, user_no, name, kind, number, value) select app_id, user_no, 'age', 'number', 5, '5' from users where app_id = ${a}`)
  await store.query(sql`analyze`)
  const ids = await store.query<{ id: string }>(sql`select id from installations where app_id = ${a} limit 2000`)
  const time = async (name: string, n: number, f: (i: number) => Promise<unknown>) => {
    for (let r = 0; r < 8; r++) {
      const s = performance.now()
      await Promise.all(Array.from({ length: n }, (_, i) => f(r * n + i)))
      if (r === 7 || r === 0) console.log(name, r, ((performance.now() - s) / n).toFixed(3), 'ms each')
    }
  }
  await time('tags', 500, (i) => addTags(ctx, { userId: `u${(i * 37) % 100000}`, tags: ['x'] }))
  await time('tag single', 1, (i) => addTags(ctx, { userId: `u${i + 1}`, tags: ['y'] }))
  await time('attributes', 500, (i) => setAttributes(ctx, { userId: `u${(i * 37) % 100000}`, attributes: { age: i, n: 'x' } }))
  await time('attributes single', 1, (i) => setAttributes(ctx, { userId: `u${i + 1}`, attributes: { z: i } }))
  await time('visit', 500, (i) => updateInstallation(ctx, { id: ids[i % 2000]!.id, body: { launchCount: i + 2 } }))
  await time('login+token', 500, (i) => updateInstallation(ctx, { id: ids[i % 2000]!.id, body: { userId: `n${i}`, deviceToken: `t${i % 700}` } }))
  await time('update single', 1, (i) => updateInstallation(ctx, { id: ids[i]!.id, body: { launchCount: i + 20000, deviceToken: `s${i}` } }))
  await time('register', 500, (i) => registerInstallation(ctx, { deviceType: 'web', userId: `r${i}`, deviceToken: `q${i}` }))
  await time('get', 20, (i) => getInstallation(ctx, { id: ids[i % 2000]!.id }))
  await time('ofuser', 20, (i) => listInstallationsOfUser(ctx, { userId: `u${i + 5}` }))
  await time('listtags', 1, () => listTags(ctx))
  console.log((await store.query(sql`explain analyze with recursive names as (
      (select t.tag from user_tags t where t.app_id = ${a} and t.tag >= ${''} order by t.tag limit 1)
      union all
      select (select t.tag from user_tags t where t.app_id = ${a} and t.tag > n.tag order by t.tag limit 1)
      from names n where starts_with(n.tag, ${''})) select tag from names where starts_with(tag, ${''}) limit 10`)).map((r) => Object.values(r)[0]).join('\n'))
})
