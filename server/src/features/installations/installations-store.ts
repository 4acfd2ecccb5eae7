import sql from 'sql-template-tag'
import type { Database, Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { Installation } from './installation.ts'

export interface InstallationNumber {
  appId: number
  installationNo: number
}

/** Locks installations by number: those with these ids, and those that hold tokens with these hashes. */
export async function lockInstallations(
  tx: Transaction,
  ids: readonly { appId: number; id: string }[],
  tokens: readonly { appId: number; hash: Buffer }[],
): Promise<InstallationNumber[]> {
  const rows = await tx.query<{ app_id: number; installation_no: number }>(
    sql`select i.app_id, i.installation_no
        from installations i
        join (select i.app_id, i.installation_no
              from ${unnestRows(ids, 'k', { app_id: ['int', (key) => key.appId], id: ['uuid', (key) => key.id] })}
              join installations i on i.app_id = k.app_id and i.id = k.id
              union
              select d.app_id, d.installation_no
              from ${unnestRows(tokens, 'k', {
                app_id: ['int', (key) => key.appId],
                hash: ['bytea', (key) => key.hash],
              })}
              join installation_details d on d.app_id = k.app_id and d.device_token_hash = k.hash) wanted
          on i.app_id = wanted.app_id and i.installation_no = wanted.installation_no
        order by i.app_id, i.installation_no
        for no key update of i`,
    'lock-installations',
  )
  return rows.map((row) => ({ appId: row.app_id, installationNo: row.installation_no }))
}

interface Row {
  app_id: number
  installation_no: number
  id: string
  user_no: number
  user_id: string
  login_user_no: number | null
  login_user_id: string | null
  is_guest: boolean
  is_verified: boolean
  logged_in_at: Date
  installed_at: Date
  launched_at: Date
  created_at: Date
  uninstalled_at: Date | null
  launch_count: number
  device_type: string
  client_version: string | null
  os_version: string | null
  language: string | null
  time_zone: string | null
  subscriptions: string[]
  device_token: string | null
  token_status: string | null
  token_changed_at: Date | null
  details: Record<string, unknown>
}

export interface StoredInstallation {
  installation: Installation
  userNo: number
  loginUserNo: number | undefined
}

/** Installations by number, in that order. */
export async function readInstallations(
  database: Database,
  numbers: readonly InstallationNumber[],
): Promise<StoredInstallation[]> {
  const rows = await database.query<Row>(
    sql`select i.app_id, i.installation_no, i.id, i.user_no, u.user_id, i.login_user_no, l.user_id as login_user_id,
          i.is_guest, i.logged_in_at, i.installed_at, i.launched_at, i.created_at, i.uninstalled_at, i.launch_count,
          i.device_type, i.client_version, i.os_version, i.language, i.time_zone, i.subscriptions,
          coalesce(d.verified_user_no = i.user_no, false) as is_verified, d.device_token, d.token_status, d.token_changed_at, d.details
        from ${unnestRows(numbers, 'k', {
          app_id: ['int', (key) => key.appId],
          installation_no: ['bigint', (key) => key.installationNo],
        })}
        join installations i on i.app_id = k.app_id and i.installation_no = k.installation_no
        join users u on u.app_id = i.app_id and u.user_no = i.user_no
        left join users l on l.app_id = i.app_id and l.user_no = i.login_user_no
        join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
        order by i.app_id, i.installation_no`,
    'read-installations',
  )
  return rows.map((row) => ({
    installation: fromRow(row),
    userNo: row.user_no,
    loginUserNo: row.login_user_no ?? undefined,
  }))
}

function fromRow(row: Row): Installation {
  return {
    appId: row.app_id,
    id: row.id,
    installationNo: row.installation_no,
    userId: row.user_id,
    isGuest: row.is_guest,
    isVerified: row.is_verified,
    loginUserId: row.login_user_id ?? undefined,
    loggedInAt: row.logged_in_at,
    installedAt: row.installed_at,
    launchedAt: row.launched_at,
    createdAt: row.created_at,
    uninstalledAt: row.uninstalled_at ?? undefined,
    launchCount: row.launch_count,
    deviceType: row.device_type,
    clientVersion: row.client_version ?? undefined,
    osVersion: row.os_version ?? undefined,
    language: row.language ?? undefined,
    timeZone: row.time_zone ?? undefined,
    subscriptions: row.subscriptions,
    deviceToken: row.device_token ?? undefined,
    tokenStatus: row.token_status ?? undefined,
    tokenChangedAt: row.token_changed_at ?? undefined,
    details: row.details,
  }
}
