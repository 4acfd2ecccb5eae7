import sql, { empty, type Sql } from 'sql-template-tag'

/** Whether the installation with this number is connected, as a condition. */
export function isConnectedNow(appId: Sql, installationNo: Sql): Sql {
  return hasConnection(appId, installationNo, empty)
}

/** Whether the app is open on it. */
export function isOpenNow(appId: Sql, installationNo: Sql): Sql {
  return hasConnection(appId, installationNo, sql`and c.is_open`)
}

/** The same, by a connection that was there at that moment already. */
export function isOpenSince(appId: Sql, installationNo: Sql, moment: Sql): Sql {
  return hasConnection(appId, installationNo, sql`and c.is_open and c.connected_at <= ${moment}`)
}

function hasConnection(appId: Sql, installationNo: Sql, condition: Sql): Sql {
  return sql`exists (
    select from connections c join connection_holders h on h.holder = c.holder and h.alive_until > now()
    where c.app_id = ${appId} and c.installation_no = ${installationNo} ${condition})`
}
