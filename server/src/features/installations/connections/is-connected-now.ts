import sql, { empty, type Sql } from 'sql-template-tag'

/**
 * Whether the connection `c` is there, as a condition: somebody holds it whom the others have not given up (see
 * holders-store.ts). It does not depend on the time: after the database was away nobody has said lately that they live.
 * The holders, of which there are few, are read once for the statement.
 */
export const isHeld = sql`c.holder = any (array (select h.holder from connection_holders h))`

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
    select from connections c
    where c.app_id = ${appId} and c.installation_no = ${installationNo} and ${isHeld} ${condition})`
}
