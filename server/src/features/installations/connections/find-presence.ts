import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { isHeld } from './is-connected-now.ts'

export interface PresenceKey {
  appId: number
  installationNo: number
}

export interface Presence {
  /** The app is in the foreground. */
  isOpen: boolean
  connectedAt: Date
}

/** Which of these installations are connected now, by their numbers. */
export async function findPresence(database: Database, keys: readonly PresenceKey[]): Promise<Map<number, Presence>> {
  if (keys.length === 0) return new Map()
  const rows = await database.query<{ installation_no: number; is_open: boolean; connected_at: Date }>(
    sql`select c.installation_no, c.is_open, c.connected_at
        from ${unnestRows(keys, 'k', {
          app_id: ['int', ({ appId }) => appId],
          installation_no: ['bigint', ({ installationNo }) => installationNo],
        })}
        join connections c using (app_id, installation_no)
        where ${isHeld}`,
    'find-presence',
  )
  return new Map(
    rows.map((row) => [row.installation_no, { isOpen: row.is_open, connectedAt: row.connected_at }] as const),
  )
}
