import type { DeliveryReason, DeliveryState } from '@peyk/contract'
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { isUuid } from '#base/ids.ts'
import type { DetailColumns } from '../details/detail.ts'
import { decidedFor } from '../other-user/decided-for.ts'

export interface DeliveryRow extends DetailColumns {
  installation_no: number
  installation_id: string | null
  user_id: string | null
  device_type: string | null
  state: DeliveryState
  reason: DeliveryReason | null
  provider: string | null
  language: string | null
  variant: string | null
  sent_at: Date | null
  updated_at: Date
}

export interface DeliveryFilter {
  state?: DeliveryState
  reason?: DeliveryReason
  installationId?: string
  userId?: string
  deviceType?: string
}

/**
 * One row per installation, ordered by number: those that have one in deliveries, and those that a batch still lists.
 * Moving from a batch to a row of its own does not change an installation's place. The user is the one for whom the
 * message was decided.
 */
export async function listDeliveryRows(
  ctx: Context,
  message: { id: string; accepted_at: Date; cancelled_at: Date | null },
  filter: DeliveryFilter,
  page: { after: number; limit: number },
): Promise<DeliveryRow[]> {
  const appId = ctx.app.id
  const { where, byInstallation } = conditions(appId, message.id, filter)
  const waitingSince = message.accepted_at.toISOString()
  return db(ctx).query<DeliveryRow>(sql`
    select d.installation_no, i.id as installation_id, u.user_id, i.device_type, d.state, d.reason, d.provider, d.detail,
      d.detail_code, d.detail_provider, d.language, d.variant, d.sent_at, d.updated_at
    from (
      select * from (
        (select d.installation_no, d.state, d.reason, d.provider, d.detail, d.detail_code, d.detail_provider, d.language, d.variant, d.sent_at, d.updated_at
         from deliveries d
         where d.app_id = ${appId} and d.message_id = ${message.id} and d.installation_no > ${page.after} ${where} ${byInstallation}
         order by d.installation_no limit ${page.limit})
        union all
        (select * from (
           select listed.installation_no,
             case b.state when 'cancelled' then 'ended' else 'queued' end as state,
             case b.state when 'cancelled' then 'cancelled' end as reason,
             null::text as provider, null::text as detail, null::text as detail_code, null::text as detail_provider, null::text as language, null::text as variant,
             null::timestamptz as sent_at,
             case b.state when 'cancelled' then ${(message.cancelled_at ?? message.accepted_at).toISOString()}::timestamptz
               else ${waitingSince}::timestamptz end as updated_at
           from delivery_batches b cross join unnest(b.installation_nos) as listed(installation_no)
           where b.app_id = ${appId} and b.message_id = ${message.id} and listed.installation_no > ${page.after}
             and not exists (
               select from deliveries done
               where done.app_id = ${appId} and done.message_id = ${message.id} and done.installation_no = listed.installation_no)
         ) d where true ${where} ${byInstallation}
         order by d.installation_no limit ${page.limit})
      ) either
      order by installation_no limit ${page.limit}
    ) d
    left join installations i on i.app_id = ${appId} and i.installation_no = d.installation_no
    left join messages m on m.app_id = ${appId} and m.id = ${message.id}
    left join users u on u.app_id = ${appId} and u.user_no = ${decidedFor}
    order by d.installation_no`)
}

function conditions(appId: number, messageId: string, filter: DeliveryFilter): { where: Sql; byInstallation: Sql } {
  const { state, reason, installationId, userId, deviceType } = filter
  const where = [empty]
  if (state !== undefined) where.push(sql`and d.state = ${state}`)
  if (reason !== undefined) where.push(sql`and d.reason = ${reason}`)
  const installation = [sql`i.app_id = ${appId} and i.installation_no = d.installation_no`]
  if (installationId !== undefined)
    installation.push(isUuid(installationId) ? sql`i.id = ${installationId}` : sql`false`)
  if (deviceType !== undefined) installation.push(sql`i.device_type = ${deviceType}`)
  if (userId !== undefined) {
    installation.push(
      sql`(select ${decidedFor} from messages m where m.app_id = ${appId} and m.id = ${messageId})
        = (select u.user_no from users u where u.app_id = ${appId} and u.user_id = ${userId})`,
    )
  }
  return {
    where: join(where, ' '),
    byInstallation:
      installation.length === 1
        ? empty
        : sql`and exists (select from installations i where ${join(installation, ' and ')})`,
  }
}
