import sql, { type Sql } from 'sql-template-tag'
import { nobody } from '../connections/connections-store.ts'
import { isHeld } from '../connections/is-connected-now.ts'

/** An installation, and how it can be reached at this moment. */
export interface Reach {
  installation_no: number
  installation_id: string
  device_type: string
  user_no: number
  user_id: string
  is_gone: boolean
  device_token: string | null
  token_status: string | null
  /** Only of iPhones: APNs says since when a token is dead. */
  token_changed_at: Date | null
  is_connected: boolean
  /** Connected, with the app in the foreground. */
  is_open: boolean
  /** Not connected, but it was a moment ago, and did not leave by itself. */
  is_returning: boolean
}

/** The columns of `Reach` for the installation `i` of the user `u`, with `reachJoins`. Who left within `returningMs` is returning. */
export function reachColumns(returningMs: number): Sql {
  return sql`i.installation_no, i.id as installation_id, i.device_type, i.user_no, u.user_id,
        i.uninstalled_at is not null as is_gone, d.device_token, d.token_status, case when i.device_type = 'ios' then d.token_changed_at end as token_changed_at,
        coalesce(c.is_held, false) as is_connected, coalesce(c.is_held and c.is_open, false) as is_open,
        coalesce(not c.is_held and c.left_at > peyk_now() - ${returningMs} * interval '1 ms', false) as is_returning`
}

/** `offset 0` keeps PostgreSQL to one index lookup per installation, whatever it believes about the tables. */
export const reachJoins: Sql = sql`
      cross join lateral (
        select device_token, token_status, token_changed_at from installation_details
        where app_id = i.app_id and installation_no = i.installation_no offset 0
      ) d
      left join lateral (
        select c.is_open, ${isHeld} as is_held,
          -- A holder that nobody knows is one that has just begun, or was given up and is back.
          coalesce(c.left_at, case when c.holder <> ${nobody} then c.connected_at end) as left_at
        from connections c where c.app_id = i.app_id and c.installation_no = i.installation_no offset 0
      ) c on true`
