import sql from 'sql-template-tag'
import type { Transaction } from '#base/store/store.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import { hashDeviceToken } from '../device-tokens/device-token.ts'
import type { Installation } from '../installation.ts'
import type { InstallationNumber } from '../installations-store.ts'
import { versionKey } from '../version-key.ts'

/** An installation with its users' numbers: what the rows are written from. */
export interface InstallationRow {
  installation: Installation
  userNo: number
  loginUserNo: number | undefined
}

/** The numbers of new installations, in their order. */
export async function insertInstallations(tx: Transaction, rows: readonly InstallationRow[]): Promise<number[]> {
  const stored = await tx.query<{ installation_no: number; id: string }>(
    sql`with input as (
          select * from json_to_recordset(${JSON.stringify(rows.map((row) => ({ ...narrow(row), ...wide(row) })))}) as r(
            app_id int, id uuid, user_no bigint, login_user_no bigint, installed_at timestamptz, launched_at timestamptz,
            logged_in_at timestamptz, created_at timestamptz, launch_count int, is_guest boolean, device_type text,
            client_version text, client_version_key text, os_version text, os_version_key text, language text,
            time_zone text, subscriptions text[], device_token text, device_token_hash text, token_status text,
            token_changed_at timestamptz, details jsonb, verified_user_no bigint)
        ), made as (
          insert into installations (app_id, id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at,
            launch_count, is_guest, device_type, client_version, client_version_key, os_version, os_version_key, language,
            time_zone, subscriptions)
          select app_id, id, user_no, login_user_no, installed_at, launched_at, logged_in_at, created_at,
            launch_count, is_guest, device_type, client_version, client_version_key, os_version, os_version_key, language,
            time_zone, subscriptions
          from input
          returning app_id, id, installation_no
        ), made_details as (
          insert into installation_details (app_id, installation_no, device_token, device_token_hash, token_status,
            token_changed_at, details, verified_user_no)
          select app_id, installation_no, device_token, decode(device_token_hash, 'hex'), token_status, token_changed_at, details,
            verified_user_no
          from input join made using (app_id, id)
        )
        select id, installation_no from made`,
    'insert-installations',
  )
  const numbers = new Map(stored.map((row) => [row.id, row.installation_no]))
  return rows.map((row) => numbers.get(row.installation.id) as number)
}

export async function updateInstallationRows(tx: Transaction, rows: readonly InstallationRow[]): Promise<void> {
  await tx.query(
    sql`update installations i
        set user_no = r.user_no, login_user_no = r.login_user_no, installed_at = r.installed_at, launched_at = r.launched_at,
          logged_in_at = r.logged_in_at, uninstalled_at = r.uninstalled_at, launch_count = r.launch_count,
          is_guest = r.is_guest, device_type = r.device_type, client_version = r.client_version,
          client_version_key = r.client_version_key, os_version = r.os_version, os_version_key = r.os_version_key,
          language = r.language, time_zone = r.time_zone, subscriptions = r.subscriptions
        from json_to_recordset(${JSON.stringify(rows.map(narrow))}) as r(
          app_id int, installation_no bigint, user_no bigint, login_user_no bigint, installed_at timestamptz,
          launched_at timestamptz, logged_in_at timestamptz, uninstalled_at timestamptz, launch_count int, is_guest boolean,
          device_type text, client_version text, client_version_key text, os_version text, os_version_key text,
          language text, time_zone text, subscriptions text[])
        where i.app_id = r.app_id and i.installation_no = r.installation_no`,
    'update-installations',
  )
}

export async function updateDetailRows(tx: Transaction, rows: readonly InstallationRow[]): Promise<void> {
  await tx.query(
    sql`update installation_details d
        set device_token = r.device_token, device_token_hash = decode(r.device_token_hash, 'hex'),
          token_status = r.token_status, token_changed_at = r.token_changed_at, details = r.details,
          verified_user_no = r.verified_user_no, updated_at = peyk_now()
        from json_to_recordset(${JSON.stringify(rows.map(wide))}) as r(
          app_id int, installation_no bigint, device_token text, device_token_hash text, token_status text,
          token_changed_at timestamptz, details jsonb, verified_user_no bigint)
        where d.app_id = r.app_id and d.installation_no = r.installation_no`,
    'update-installation-details',
  )
}

/** Before tokens change hands: two rows must not hold one token at any moment. */
export async function releaseTokens(tx: Transaction, numbers: readonly InstallationNumber[]): Promise<void> {
  await tx.query(
    sql`update installation_details d
        set device_token = null, device_token_hash = null
        from ${unnestRows(numbers, 'k', {
          app_id: ['int', (key) => key.appId],
          installation_no: ['bigint', (key) => key.installationNo],
        })}
        where d.app_id = k.app_id and d.installation_no = k.installation_no and d.device_token_hash is not null`,
    'release-tokens',
  )
}

/** One transaction at a time gives a token to somebody. */
export async function lockTokens(tx: Transaction, tokens: readonly { appId: number; hash: Buffer }[]): Promise<void> {
  const keys = tokens.map(({ appId, hash }) => hash.readBigInt64BE() ^ BigInt(appId)).sort((a, b) => (a < b ? -1 : 1))
  await tx.query(
    sql`select pg_advisory_xact_lock(key) from ${unnestRows(keys, 'k', { key: ['bigint', String] })}`,
    'lock-tokens',
  )
}

function narrow({ installation, userNo, loginUserNo }: InstallationRow) {
  const { clientVersion, osVersion } = installation
  return {
    app_id: installation.appId,
    installation_no: installation.installationNo,
    id: installation.id,
    user_no: userNo,
    login_user_no: loginUserNo,
    installed_at: installation.installedAt,
    launched_at: installation.launchedAt,
    logged_in_at: installation.loggedInAt,
    created_at: installation.createdAt,
    uninstalled_at: installation.uninstalledAt,
    launch_count: installation.launchCount,
    is_guest: installation.isGuest,
    device_type: installation.deviceType,
    client_version: clientVersion,
    client_version_key: clientVersion && versionKey(clientVersion),
    os_version: osVersion,
    os_version_key: osVersion && versionKey(osVersion),
    language: installation.language,
    time_zone: installation.timeZone,
    subscriptions: installation.subscriptions,
  }
}

function wide({ installation, userNo }: InstallationRow) {
  const { deviceToken } = installation
  return {
    app_id: installation.appId,
    installation_no: installation.installationNo,
    device_token: deviceToken,
    device_token_hash: deviceToken && hashDeviceToken(deviceToken).toString('hex'),
    token_status: installation.tokenStatus,
    token_changed_at: installation.tokenChangedAt,
    details: installation.details,
    verified_user_no: installation.isVerified ? userNo : undefined,
  }
}
