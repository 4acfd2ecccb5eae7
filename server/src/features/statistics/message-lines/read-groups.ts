import sql from 'sql-template-tag'
import { type Context, db } from '#base/context.ts'
import { unnestRows } from '#base/store/unnest-rows.ts'
import type { DeliveryGroup, WaitingGroup } from '../../deliveries/progress/count-deliveries.ts'
import { type DeliveryGroups, isStart, listedInHeld } from '../../deliveries/progress/delivery-groups.ts'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'

interface Group {
  message_id: string
  is_batch: boolean
  state: string
  reason: string | null
  count: number
  first_at: Date | null
  is_open: boolean
  held: number
}

/** How far each of some messages has come, in one look: what deliveries/progress/delivery-groups.ts reads for one. */
export async function readGroups(
  ctx: Context,
  messages: readonly { id: string; recipients: number }[],
): Promise<Map<string, DeliveryGroups>> {
  const rows = await db(ctx).query<Group>(
    sql`with m as materialized (
          select * from ${unnestRows(messages, 'm', {
            id: ['uuid', ({ id }) => id],
            is_to_few: ['boolean', ({ recipients }) => recipients < countedRecipients],
          })}
        )
        select m.id as message_id, false as is_batch, d.state, d.reason, d.count, d.first_at, false as is_open, 0::bigint as held
        from m cross join lateral (
          select state, reason, count(*) as count, min(coalesce(sent_at, updated_at)) as first_at
          from deliveries where app_id = ${ctx.app.id} and message_id = m.id group by state, reason
        ) d where m.is_to_few
        union all
        select m.id, false, c.state, c.reason, c.count, c.first_at, false, 0
        from m cross join lateral (
          select state, nullif(reason, '') as reason, sum(count)::bigint as count, min(first_at) as first_at
          from delivery_counters where app_id = ${ctx.app.id} and message_id = m.id group by state, reason
        ) c
        union all
        select m.id, true, b.state, null, b.listed, null, b.is_open, b.held
        from m cross join lateral (
          select case state when 'paused' then 'queued' else state end as state,
            coalesce(sum(cardinality(installation_nos)), 0)::bigint as listed, bool_or(installation_nos is null) as is_open,
            ${listedInHeld} as held
          from delivery_batches where app_id = ${ctx.app.id} and message_id = m.id group by 1
        ) b`,
    'read-groups-of-many',
  )
  const found = new Map<string, DeliveryGroups>()
  for (const { id } of messages) found.set(id, { rows: [], waiting: [], startedAt: undefined })
  for (const row of rows) add(found.get(row.message_id) as DeliveryGroups, row)
  return found
}

function add(groups: DeliveryGroups, row: Group): void {
  if (row.is_batch) {
    const { state, count, held, is_open } = row
    groups.waiting.push({ state: state as WaitingGroup['state'], listed: count, held, isOpen: is_open })
    return
  }
  const { state, reason, count } = row as unknown as DeliveryGroup
  groups.rows.push({ state, reason, count })
  if (!row.first_at || !isStart(row.reason)) return
  if (!groups.startedAt || row.first_at < groups.startedAt) groups.startedAt = row.first_at
}
