import sql, { type Sql } from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import type { DeliveryGroup, WaitingGroup } from './count-deliveries.ts'

export interface DeliveryGroups {
  rows: DeliveryGroup[]
  waiting: WaitingGroup[]
  /** When the first delivery was handed over, or ended for a reason other than a cancel. */
  startedAt: Date | undefined
}

/** How many installations are listed in batches that a process has taken and not let go. */
export const listedInHeld: Sql = sql`coalesce(sum(cardinality(installation_nos)) filter (where lease_holder is not null and available_at > peyk_now()), 0)::bigint`

/**
 * How far a message has come, in one look: deliveries, counters and batches change together. Of a message to many, the
 * counters say it; of one to few, its rows, and the counters say how many were forgotten with their users.
 */
export async function readDeliveryGroups(
  ctx: Context,
  message: { id: string; recipients: number },
): Promise<DeliveryGroups> {
  const isToFew = message.recipients < countedRecipients
  const groups = await db(ctx).query<{
    is_batch: boolean
    state: string
    reason: string | null
    count: number
    first_at: Date | null
    is_open: boolean
    held: number
  }>(
    sql`
      select false as is_batch, state, reason, count(*) as count, min(coalesce(sent_at, updated_at)) as first_at, false as is_open, 0::bigint as held
      from deliveries where app_id = ${ctx.app.id} and message_id = ${message.id} and ${isToFew}::boolean group by state, reason
      union all
      select false, state, nullif(reason, ''), sum(count)::bigint, min(first_at), false, 0
      from delivery_counters where app_id = ${ctx.app.id} and message_id = ${message.id} group by state, reason
      union all
      select true, case state when 'paused' then 'queued' else state end, null, coalesce(sum(cardinality(installation_nos)), 0)::bigint,
        null, bool_or(installation_nos is null), ${listedInHeld}
      from delivery_batches where app_id = ${ctx.app.id} and message_id = ${message.id} group by 2`,
    'read-delivery-groups',
  )
  const rows = groups.filter((group) => !group.is_batch)
  const starts = rows.flatMap(({ reason, first_at }) => (first_at && isStart(reason) ? [first_at] : []))
  return {
    rows: rows.map(({ state, reason, count }) => ({ state, reason, count }) as DeliveryGroup),
    waiting: groups
      .filter((group) => group.is_batch)
      .map(({ state, count, held, is_open }) => ({
        state: state as WaitingGroup['state'],
        listed: count,
        held,
        isOpen: is_open,
      })),
    startedAt: starts.reduce<Date | undefined>((first, at) => (first && first <= at ? first : at), undefined),
  }
}

/** Whether a delivery with this reason proves that sending began. */
export function isStart(reason: string | null): boolean {
  return reason !== 'not-in-channel' && reason !== 'cancelled'
}
