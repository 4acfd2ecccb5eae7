import { raw } from 'sql-template-tag'
import type { RunningProcess } from '../measure/process.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'

/** Something that happens to thousands of installations and users. */
export interface Chapter {
  name: string
  happen(): Promise<void>
}

const many = 3_000
const forgotten = 100

/** All kinds of writes that an index has to follow, as the service makes them. */
export function tellHistory(peyk: RunningProcess, { store, appId, token }: PeykDatabase): Chapter[] {
  const run = async (...statements: string[]) => {
    for (const statement of statements) await store.query(raw(statement))
  }
  const some = (table: string, where = 'true', count = many) =>
    `(select ctid from ${table} where app_id = ${appId} and ${where} order by random() limit ${count})`
  const update = (table: string, set: string, where?: string) =>
    `update ${table} set ${set} where ctid = any(array${some(table, where)})`
  const remove = (table: string, where?: string) => `delete from ${table} where ctid = any(array${some(table, where)})`
  const numbersOfUsers = `select user_no from users where app_id = ${appId} order by random() limit ${many}`
  const numbersOfDevices = `select installation_no from installations where app_id = ${appId} order by random() limit ${many}`
  return [
    {
      name: 'launches with another version, language and system',
      happen: () =>
        run(
          update(
            'installations',
            `launched_at = now(), launch_count = launch_count + 1, client_version_key = 'b4b2#', os_version_key = 'c19#', language = 'ku'`,
          ),
          update(
            'installations',
            `language = null, time_zone = 'Asia/Kabul', subscriptions = '{public/news,public/sport}'`,
          ),
        ),
    },
    {
      name: 'removals',
      happen: () => run(update('installations', 'uninstalled_at = now()', 'uninstalled_at is null')),
    },
    {
      name: 'returns',
      happen: () => run(update('installations', 'uninstalled_at = null', 'uninstalled_at is not null')),
    },
    {
      name: 'devices that go to other users',
      happen: () =>
        run(
          update('installations', `user_no = (select min(user_no) from users where app_id = ${appId})`),
          update('installations', 'user_no = user_no + 1'),
        ),
    },
    {
      name: 'new users and devices',
      happen: () =>
        run(
          `with made as (
             insert into users (app_id, user_id) select ${appId}, 'late-' || n || random() from generate_series(1, ${many}) n
             returning user_no)
           insert into installations (app_id, user_no, id, installed_at, launched_at, logged_in_at, created_at, launch_count,
             is_guest, device_type, subscriptions)
           select ${appId}, user_no, gen_random_uuid(), now(), now(), now(), now(), 1, false, 'ios', '{}' from made`,
        ),
    },
    {
      name: 'tags',
      happen: () =>
        run(
          remove('user_tags'),
          remove('user_tags', `tag = 'vip'`),
          update('user_tags', `value = 'tehran'`, `tag = 'city'`),
          update('user_tags', 'value = null', `tag = 'tier'`),
          `insert into user_tags (app_id, user_no, tag, value)
           select ${appId}, user_no, tag, null from (${numbersOfUsers}) u cross join (values ('vip'), ('beta'), ('brand_new')) t(tag)
           on conflict do nothing`,
        ),
    },
    {
      name: 'attributes of users and of devices',
      happen: () =>
        run(
          remove('user_attributes'),
          remove('installation_attributes'),
          update('user_attributes', `number = 70, value = '70'`, `name = 'age'`),
          update('user_attributes', `kind = 'text', number = null, text = 'sixty', value = '"sixty"'`, `name = 'age'`),
          update('user_attributes', `text = 'light', value = '"light"'`, `name = 'plan'`),
          `insert into installation_attributes (app_id, installation_no, name, kind, text, value)
           select ${appId}, installation_no, 'theme', 'text', 'light', '"light"' from (${numbersOfDevices}) i on conflict do nothing`,
        ),
    },
    {
      name: 'counters',
      happen: () =>
        run(
          update('event_counters', 'count = count + 3, last_at = now()'),
          update(
            'event_counters',
            'value_count = value_count + 1, value_sum = value_sum + 0.1',
            `event_key = 'purchase'`,
          ),
          remove('event_counters'),
          `insert into event_counters (app_id, installation_no, event_key, count, first_at, last_at, value_count)
           select ${appId}, installation_no, 'purchase', 3, now(), now(), 0 from (${numbersOfDevices}) i on conflict do nothing`,
        ),
    },
    {
      name: 'events, over HTTP',
      happen: async () => {
        const rows = await store.query<{ user_id: string }>(
          raw(`select user_id from users where app_id = ${appId} order by random() limit 1000`),
        )
        const events = rows.map(({ user_id }) => ({
          userId: user_id,
          eventName: 'purchase',
          eventData: { value: 12.5 },
        }))
        await call('POST', '/api/installations/trackBulk', events)
      },
    },
    {
      name: 'users who are forgotten, over HTTP',
      happen: async () => {
        const rows = await store.query<{ user_id: string }>(
          raw(`select user_id from users where app_id = ${appId} order by random() limit ${forgotten}`),
        )
        for (const { user_id } of rows) await call('DELETE', `/api/users/${encodeURIComponent(user_id)}`)
      },
    },
    {
      name: 'much that is undone, and another app that comes and goes',
      happen: async () => {
        await store
          .transaction(async (tx) => {
            await tx.query(raw(update('installations', 'uninstalled_at = now()')))
            await tx.query(raw(remove('user_tags')))
            throw new Error('undone')
          })
          .catch(() => undefined)
        await run(
          `insert into user_tags (app_id, user_no, tag) select ${appId + 1}, n, 'vip' from generate_series(1, ${many}) n`,
          `delete from user_tags where app_id = ${appId + 1}`,
        )
      },
    },
  ]

  async function call(method: string, path: string, body?: unknown): Promise<void> {
    const response = await fetch(peyk.url + path, {
      method,
      headers: { 'X-Access-Token': token, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (response.status >= 300) throw new Error(`${method} ${path} was refused: ${text}`)
  }
}
