import type { People } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { isConnectedNow } from '../installations/connections/is-connected-now.ts'

interface Row {
  user_id: string
  installation_id: string
  device_type: string
  client_version: string | null
  os_version: string | null
  launched_at: Date
  can_push: boolean
  is_connected: boolean
}

const people = 8
const newest = 200
const devicesPerPerson = 10

/** Users with devices, by the beginning of their id; else those whose installations are the newest, guests last. */
export async function findPeople(ctx: Context, { search = '' }: { search?: string }): Promise<People> {
  const appId = ctx.app.id
  const found =
    search === ''
      ? sql`select user_no from (
              select user_no, is_guest, installation_no from installations
              where app_id = ${appId} and uninstalled_at is null order by installation_no desc limit ${newest}) n
            group by user_no order by bool_and(is_guest), max(installation_no) desc limit ${people}`
      : sql`select user_no from users
            where app_id = ${appId} and user_id >= ${search} and user_id < ${`${search}\u{10ffff}`}
            order by user_id limit ${people}`
  const rows = await db(ctx).query<Row>(sql`
    select u.user_id, i.id as installation_id, i.device_type, i.client_version, i.os_version, i.launched_at,
      coalesce(d.token_provider is not null and not d.is_denied, false) as can_push,
      ${isConnectedNow(sql`${appId}`, sql`i.installation_no`)} as is_connected
    from (${found}) f
    join users u on u.app_id = ${appId} and u.user_no = f.user_no
    cross join lateral (
      select * from installations where app_id = ${appId} and user_no = f.user_no and uninstalled_at is null
      order by launched_at desc limit ${devicesPerPerson}
    ) i
    left join installation_details d on d.app_id = ${appId} and d.installation_no = i.installation_no
    order by u.user_id, i.launched_at desc`)
  const byUser = Map.groupBy(rows, ({ user_id }) => user_id)
  return { people: [...byUser].map(([userId, devices]) => ({ userId, devices: devices.map(show) })) }
}

function show(row: Row): People['people'][number]['devices'][number] {
  return {
    installationId: row.installation_id,
    deviceType: row.device_type,
    ...(row.client_version !== null && { clientVersion: row.client_version }),
    ...(row.os_version !== null && { osVersion: row.os_version }),
    lastVisitAt: row.launched_at.getTime(),
    canPush: row.can_push,
    isConnected: row.is_connected,
  }
}
