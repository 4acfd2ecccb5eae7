import sql, { type Sql } from 'sql-template-tag'

/** Whether the app is open on the installation with this number, as a condition. */
export function isOpenNow(appId: Sql, installationNo: Sql): Sql {
  return sql`exists (
    select from connections c join connection_holders h on h.holder = c.holder and h.alive_until > now()
    where c.app_id = ${appId} and c.installation_no = ${installationNo} and c.is_open)`
}

/** The same, by a connection that was there at that moment already. */
export function isOpenSince(appId: Sql, installationNo: Sql, moment: Sql): Sql {
  return sql`exists (
    select from connections c join connection_holders h on h.holder = c.holder and h.alive_until > now()
    where c.app_id = ${appId} and c.installation_no = ${installationNo} and c.is_open and c.connected_at <= ${moment})`
}
