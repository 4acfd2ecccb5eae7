import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'

/** So many of the newest installations are looked at. */
const newest = 200

/** Providers that devices of the app have registered tokens of, while the app has no credentials for them. */
export async function findUnservedProviders(ctx: Pick<Context, 'app' | 'store' | 'tx'>): Promise<string[]> {
  const rows = await db(ctx).query<{ provider: string }>(
    sql`select distinct p.provider
        from (
          select app_id, installation_no, device_type, uninstalled_at from installations
          where app_id = ${ctx.app.id} order by installation_no desc limit ${newest}
        ) i
        join (values ('android', 'fcm'), ('ios', 'apns'), ('web', 'webpush')) p (device_type, provider)
          on p.device_type = i.device_type
        join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
        where i.uninstalled_at is null and d.device_token is not null
          and not exists (select from provider_credentials c where c.app_id = i.app_id and c.provider = p.provider)
        order by p.provider`,
    'find-unserved-providers',
  )
  return rows.map(({ provider }) => provider)
}
