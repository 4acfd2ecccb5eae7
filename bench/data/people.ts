import type { PostgresConnection } from '@peyk/server/base/store/embedded/postgres-connection.ts'
import { versionKey } from '@peyk/server/features/installations/version-key.ts'
import { fill } from './fill.ts'
import { chance, pick } from './random.ts'

const clientVersions = ['1.8.0', '1.9.2', '1.10.0', '2.0.0', '2.1.3', '2.4.0', '3.0.0', '3.1.0', '3.2.1', '3.10.0']
const osVersions = { android: ['10', '11', '12', '13', '14', '15'], ios: ['15.8', '16.7', '17.6', '18.2'], web: [] }

/**
 * Users "user-1" to "user-<users>" with one installation each, and the first of them with further ones. An eighth of
 * the installations is uninstalled; a fifth of the users are guests.
 */
export async function fillPeople(
  connection: PostgresConnection,
  appId: number,
  users: number,
  installations: number,
): Promise<void> {
  await fill(connection, [
    `insert into users (app_id, user_id, is_guest)
     select ${appId}, 'user-' || n, ${chance('n', 1)} < 0.2 from generate_series(1::bigint, ${users}) n order by n`,
    `vacuum analyze users`,
    `insert into installations (app_id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at, uninstalled_at,
       launch_count, is_guest, id, device_type, client_version, client_version_key, os_version, os_version_key, language, time_zone, subscriptions)
     select ${appId}, u.user_no, case when not u.is_guest then u.user_no end, installed_at, launched_at, installed_at, installed_at,
       case when ${chance('n', 2)} < 0.125 then launched_at end,
       1 + floor(-20 * ln(1 - ${chance('n', 3)}))::int, u.is_guest, gen_random_uuid(), device_type,
       cv.version, cv.key, ov.version, ov.key,
       (array['fa','fa','fa','fa','fa','fa','fa','en','en','ar'])[1 + ${pick('n', 4, 10)}],
       (array['Asia/Tehran','Asia/Tehran','Asia/Tehran','Asia/Tehran','Europe/Berlin'])[1 + ${pick('n', 5, 5)}],
       case when ${chance('n', 6)} < 0.1 then array['public/news'] else '{}' end
     from (
       select n, 1 + (n - 1) % ${users} as user_index,
         (array['android','android','android','android','android','android','ios','ios','ios','web'])[1 + ${pick('n', 8, 10)}] as device_type,
         now() - ${chance('n', 9)} * interval '400 days' as installed_at
       from generate_series(1::bigint, ${installations}) n
     ) made
     join users u on u.app_id = ${appId} and u.user_id = 'user-' || user_index
     cross join lateral (select now() - (now() - installed_at) * power(${chance('n', 10)}, 3) as launched_at) launched
     cross join lateral (select version, key from ${versionTable({ all: clientVersions })} where position = ${pick('n', 11, clientVersions.length)}) cv
     left join lateral (select version, key from ${versionTable(osVersions)} where kind = device_type and position = ${pick('n', 12, 1 << 16)} % v.total) ov on true
     order by n`,
    `insert into installation_details (app_id, installation_no, device_token, device_token_hash, token_status, token_changed_at, details)
     select app_id, installation_no, token, sha256(token::bytea), case when ${chance('installation_no', 13)} < 0.1 then 'DENIED' else 'ALLOWED' end,
       installed_at, '{"deviceModel":"Pixel 9","appVersion":"1.0.0"}'
     from installations cross join lateral (select ${tokenOf('device_type', 'id')} as token) made where app_id = ${appId} order by installation_no`,
    `vacuum analyze installations`,
    `vacuum analyze installation_details`,
  ])
}

/** As long as those of FCM, APNs, and browsers are, and made of the same characters. */
function tokenOf(deviceType: string, id: string): string {
  const hex = (digits: number) =>
    `left(${Array.from({ length: Math.ceil(digits / 32) }, (_, index) => `md5(${id}::text || ${index})`).join(' || ')}, ${digits})`
  return `case ${deviceType} when 'ios' then ${hex(64)}
    when 'web' then '{"endpoint":"https://fcm.googleapis.com/fcm/send/' || ${hex(152)} || '","expirationTime":null,"keys":{"p256dh":"' || ${hex(87)} || '","auth":"' || ${hex(22)} || '"}}'
    else ${hex(22)} || ':APA91b' || ${hex(134)} end`
}

function versionTable(lists: Record<string, string[]>): string {
  const rows = Object.entries(lists).flatMap(([kind, versions]) =>
    versions.map(
      (version, position) => `('${kind}', '${version}', '${versionKey(version)}', ${position}, ${versions.length})`,
    ),
  )
  return `(values ${rows.join(', ')}) v(kind, version, key, position, total)`
}
