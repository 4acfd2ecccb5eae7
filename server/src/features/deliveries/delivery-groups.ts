import sql from 'sql-template-tag'
import { type Context, db } from '../../base/context.ts'
import type { DeliveryGroup, WaitingGroup } from './count-deliveries.ts'

/** How far a message has come, in one look: rows and batches change together. */
export async function readDeliveryGroups(
  ctx: Context,
  messageId: string,
): Promise<{ rows: DeliveryGroup[]; waiting: WaitingGroup[] }> {
  const groups = await db(ctx).query<
    Pick<DeliveryGroup, 'reason' | 'count'> & { state: string; is_batch: boolean; is_open: boolean }
  >(
    sql`
      select false as is_batch, state, reason, count(*)::int as count, false as is_open
      from deliveries where app_id = ${ctx.app.id} and message_id = ${messageId} group by state, reason
      union all
      select true, case state when 'paused' then 'queued' else state end, null, coalesce(sum(cardinality(installation_nos)), 0)::int, bool_or(installation_nos is null)
      from delivery_batches where app_id = ${ctx.app.id} and message_id = ${messageId} group by 2`,
    'read-delivery-groups',
  )
  return {
    rows: groups.filter((group) => !group.is_batch) as DeliveryGroup[],
    waiting: groups
      .filter((group) => group.is_batch)
      .map((group) => ({ state: group.state as WaitingGroup['state'], listed: group.count, isOpen: group.is_open })),
  }
}
