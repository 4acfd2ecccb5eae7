import sql from 'sql-template-tag'
import type { Context } from '../../base/context.ts'

/** What tells a made-up device from those that register later. */
export const demoDevicePrefix = 'demo-device-'

export async function listDemoDevices(
  ctx: Pick<Context, 'app' | 'store'>,
  { deviceType }: { deviceType: string },
): Promise<{ id: string; token: string | null }[]> {
  return ctx.store.query<{ id: string; token: string | null }>(sql`
    select i.id, d.device_token as token
    from installations i
    join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
    where i.app_id = ${ctx.app.id} and i.device_type = ${deviceType} and i.uninstalled_at is null
      and starts_with(d.details ->> 'uniqueId', ${demoDevicePrefix})
    order by i.installation_no`)
}
