import type { Checklist } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

interface DoneRow {
  is_dismissed: boolean
  has_key: boolean
  has_installation: boolean
  has_provider: boolean
  has_valid_provider: boolean
  has_message: boolean
}

interface DeviceRow {
  id: string
  user_id: string
  device_type: string
  created_at: Date
}

/** So many of the newest installations are looked at for one that is still there. */
const newest = 20

/** What of the first steps of an app is done, by what there is: nothing is counted. */
export async function readChecklist(ctx: Context): Promise<Checklist> {
  const { id: appId } = ctx.app
  const [row] = await db(ctx).query<DoneRow>(
    sql`select coalesce(a.settings -> 'isChecklistDismissed' = 'true', false) as is_dismissed,
          exists (
            select from access_tokens t
            where t.app_id = a.app_id and 'client' = any (t.scopes) and t.revoked_at is null
              and (t.expires_at is null or t.expires_at > ${ctx.now()})
          ) as has_key,
          exists (select from installations i where i.app_id = a.app_id) as has_installation,
          exists (
            select from provider_credentials p where p.app_id = a.app_id and p.provider <> 'sms'
          ) as has_provider,
          exists (
            select from provider_credentials p
            where p.app_id = a.app_id and p.provider <> 'sms' and p.paused_at is null
              and p.check_result = 'taken' and p.checked_version = md5(p.sealed)
          ) as has_valid_provider,
          exists (select from delivery_days d where d.app_id = a.app_id and d.sent > 0) as has_message
        from apps a where a.app_id = ${appId}`,
    'read-checklist',
  )
  const { is_dismissed, has_key, has_installation, has_provider, has_valid_provider, has_message } = row as DoneRow
  const device = has_installation ? await findDevice(ctx) : undefined
  return {
    done: {
      clientKey: has_key || has_installation,
      snippet: has_installation,
      installation: has_installation,
      // Those that messages went out by may have been set before there were checks.
      provider: has_valid_provider || (has_provider && has_message),
      message: has_message,
    },
    ...(device && {
      device: {
        installationId: device.id,
        userId: device.user_id,
        deviceType: device.device_type,
        createdAt: device.created_at.getTime(),
      },
    }),
    isDismissed: is_dismissed,
  }
}

async function findDevice(ctx: Context): Promise<DeviceRow | undefined> {
  const [row] = await db(ctx).query<DeviceRow>(
    sql`select i.id, u.user_id, i.device_type, i.created_at
        from (
          select app_id, installation_no, id, user_no, device_type, created_at, uninstalled_at from installations
          where app_id = ${ctx.app.id} order by installation_no desc limit ${newest}
        ) i
        join users u on u.app_id = i.app_id and u.user_no = i.user_no
        where i.uninstalled_at is null order by i.installation_no desc limit 1`,
    'find-newest-device',
  )
  return row
}
