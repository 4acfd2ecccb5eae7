import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import sql from 'sql-template-tag'
import { withDatabase } from '../measure/cluster.ts'
import { fill } from './fill.ts'

const tokensPerInsert = 10_000
/** One installation in ten has it, the others have none. */
export const languageOfSome = 'fa'

/**
 * Users "<type>-1" to "<type>-<count>" with one installation each, all seen just now. Without tokens of the simulator
 * they get made-up ones that look alike.
 */
export async function fillDevices(
  connection: PostgresConnection,
  appId: number,
  deviceType: 'android' | 'web',
  devices: number | string[],
): Promise<void> {
  const count = typeof devices === 'number' ? devices : devices.length
  if (typeof devices !== 'number') await storeTokens(connection, devices)
  const tokens =
    typeof devices === 'number'
      ? `(select n, 'simulated-' || lpad(n::text, 16, '0') || ':APA91b' || left(md5(n::text), 22) as token from generate_series(1::bigint, ${count}) n)`
      : 'bench_tokens'
  await fill(connection, [
    `insert into users (app_id, user_id) select ${appId}, '${deviceType}-' || n from generate_series(1::bigint, ${count}) n order by n`,
    `vacuum analyze users`,
    `insert into installations (app_id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at, is_guest, id, device_type, language)
     select ${appId}, user_no, user_no, now(), now(), now(), now(), false, gen_random_uuid(), '${deviceType}',
       case when user_no % 10 = 0 then '${languageOfSome}' end
     from users where app_id = ${appId} and user_id like '${deviceType}-%' order by user_no`,
    `vacuum analyze installations`,
    `insert into installation_details (app_id, installation_no, device_token, device_token_hash, token_status, token_changed_at, details)
     select ${appId}, installation_no, token, sha256(convert_to(token, 'UTF8')), 'ALLOWED', now(), '{"deviceModel":"Pixel 9","appVersion":"1.0.0"}'
     from (select installation_no, row_number() over (order by installation_no) as n
           from installations where app_id = ${appId} and device_type = '${deviceType}') i
     join ${tokens} t using (n) order by installation_no`,
    `vacuum analyze installation_details`,
  ])
}

async function storeTokens(connection: PostgresConnection, tokens: string[]): Promise<void> {
  await fill(connection, [
    'drop table if exists bench_tokens',
    'create unlogged table bench_tokens (n bigint primary key, token text not null)',
  ])
  await withDatabase(connection, async (store) => {
    for (let start = 0; start < tokens.length; start += tokensPerInsert) {
      const some = tokens.slice(start, start + tokensPerInsert)
      await store.query(
        sql`insert into bench_tokens select ${start} + n, token from unnest(${some}::text[]) with ordinality as t(token, n)`,
      )
    }
  })
}
