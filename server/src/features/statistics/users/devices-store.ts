import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import type { TokenEnd } from '../../installations/device-tokens/past-tokens-store.ts'

const mostDevices = 100

export interface DeviceRow {
  installation_no: number
  id: string
  device_type: string
  manufacturer: string | null
  model: string | null
  os_version: string | null
  client_version: string | null
  language: string | null
  time_zone: string | null
  subscriptions: string[]
  launch_count: number
  installed_at: Date
  launched_at: Date
  uninstalled_at: Date | null
  is_guest: boolean
  has_token: boolean
  token_status: string | null
  token_changed_at: Date | null
  attributes: Record<string, unknown>
}

/** The installations of a user, those that are there first, then by their last visit. */
export function listDevices(ctx: Context, userNo: number): Promise<DeviceRow[]> {
  return db(ctx).query<DeviceRow>(sql`
    select i.installation_no, i.id, i.device_type, d.details ->> 'deviceManufacturer' as manufacturer,
      d.details ->> 'deviceModel' as model, i.os_version, i.client_version, i.language, i.time_zone, i.subscriptions,
      i.launch_count, i.installed_at, i.launched_at, i.uninstalled_at, i.is_guest,
      d.device_token_hash is not null as has_token, d.token_status, d.token_changed_at,
      coalesce((select jsonb_object_agg(a.name, a.value) from installation_attributes a
                where a.app_id = i.app_id and a.installation_no = i.installation_no), '{}') as attributes
    from installations i
    left join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
    where i.app_id = ${ctx.app.id} and i.user_no = ${userNo}
    order by i.uninstalled_at is not null, i.launched_at desc, i.installation_no desc limit ${mostDevices}`)
}

export interface PastToken {
  ended_at: Date
  given_at: Date | null
  reason: TokenEnd
}

/** The newest first, by installation. */
export async function listPastTokens(
  ctx: Context,
  installationNos: readonly number[],
): Promise<Map<number, PastToken[]>> {
  const rows = await db(ctx).query<PastToken & { installation_no: number }>(sql`
    select installation_no, ended_at, given_at, reason from past_tokens
    where app_id = ${ctx.app.id} and installation_no = any(${[...installationNos]}::bigint[])
    order by installation_no, ended_at desc`)
  return Map.groupBy(rows, (row) => row.installation_no)
}
