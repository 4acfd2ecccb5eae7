import sql from 'sql-template-tag'
import type { Context } from '#base/context.ts'
import type { DeviceType } from './demo-people.ts'

/** What tells a made-up device from those that register later. */
export const demoDevicePrefix = 'demo-device-'

export interface InstalledDemoDevice {
  id: string
  deviceType: DeviceType
  token: string | null
  userId: string
  isGuest: boolean
  timeZone: string | null
  launchCount: number
}

export async function listDemoDevices(ctx: Pick<Context, 'app' | 'store'>): Promise<InstalledDemoDevice[]> {
  return ctx.store.query<InstalledDemoDevice>(sql`
    select i.id, i.device_type as "deviceType", d.device_token as token, u.user_id as "userId", i.is_guest as "isGuest",
      i.time_zone as "timeZone", i.launch_count as "launchCount"
    from installations i
    join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
    join users u on u.app_id = i.app_id and u.user_no = i.user_no
    where i.app_id = ${ctx.app.id} and i.uninstalled_at is null
      and starts_with(d.details ->> 'uniqueId', ${demoDevicePrefix})
    order by i.installation_no`)
}
