import type { SegmentSample } from '@peyk/contract'
import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { compileAudience } from '../compile/compile-audience.ts'
import type { Audience } from '../read/resolve-audience.ts'

const size = 10

interface Row {
  user_id: string
  is_guest: boolean
  id: string
  device_type: string
  model: string | null
  client_version: string | null
  launched_at: Date
}

/** Some installations that a segment finds now, whichever come first. */
export async function sampleSegment(ctx: Context, audience: Audience): Promise<SegmentSample> {
  const condition = await compileAudience(ctx, audience, ctx.now())
  const rows = await db(ctx).query<Row>(sql`
    select u.user_id, u.is_guest, i.id, i.device_type, d.details ->> 'deviceModel' as model, i.client_version, i.launched_at
    from (select i.* from installations i where ${condition} limit ${size}) i
    join users u on u.app_id = i.app_id and u.user_no = i.user_no
    left join installation_details d on d.app_id = i.app_id and d.installation_no = i.installation_no
    order by i.launched_at desc, i.installation_no`)
  return {
    data: rows.map((row) => ({
      userId: row.user_id,
      isGuest: row.is_guest,
      installationId: row.id,
      deviceType: row.device_type,
      ...(row.model !== null && { deviceModel: row.model }),
      ...(row.client_version !== null && { clientVersion: row.client_version }),
      launchTime: row.launched_at.getTime(),
    })),
  }
}
