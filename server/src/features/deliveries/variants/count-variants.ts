import { spanMs } from '@peyk/contract'
import sql from 'sql-template-tag'
import type { Database } from '#base/store/store.ts'

/** How many users were given a variant, and what became of it. */
export interface VariantCount {
  name: string
  assigned: number
  handedOver: number
  shown: number
  opened: number
  acted: number
  dismissed: number
  /** Who reached the goal; none where there is no goal. */
  goal: number
}

interface Asked {
  appId: number
  messageId: string
  /** The event that is the goal, and how soon after the user was assigned it counts. */
  goal: { event: string; within: string } | undefined
}

interface Row extends VariantCount {
  is_tested: boolean
}

export interface VariantCounts {
  /** Those who are compared, with control. */
  tested: VariantCount[]
  /** Those who got the winner. */
  others: VariantCount[]
}

/**
 * Counted from the rows when somebody asks, by user: who has three devices is one, and who was deleted is none. Users are
 * those whose the installations are now.
 */
export async function countVariants(database: Database, { appId, messageId, goal }: Asked): Promise<VariantCounts> {
  const withinMs = goal ? spanMs(goal.within) : 0
  const rows = await database.query<Row>(
    sql`with people as materialized (
          select d.variant, d.tested_at is not null as is_tested, i.user_no, min(d.tested_at) as tested_at,
            bool_or(d.state <> 'ended' or d.reason = 'unknown') as is_handed_over,
            bool_or(d.state in ('shown', 'opened', 'acted', 'dismissed')) as is_shown,
            bool_or(d.state in ('opened', 'acted') or r.kind is not null) as is_opened,
            bool_or(d.state = 'acted' or coalesce(r.kind = 'acted', false)) as is_acted, bool_or(d.state = 'dismissed') as is_dismissed
          from deliveries d
          join installations i on i.app_id = d.app_id and i.installation_no = d.installation_no
          left join receipts r on r.app_id = d.app_id and r.message_id = d.message_id
            and r.installation_no = d.installation_no and r.kind in ('opened', 'acted')
          where d.app_id = ${appId} and d.message_id = ${messageId} and d.variant is not null
          group by d.variant, d.tested_at is not null, i.user_no
        ), reached as materialized (
          select distinct p.user_no from people p
          join events e on e.app_id = ${appId} and e.user_no = p.user_no and e.name = any(array(
              select distinct name from event_days where app_id = ${appId} and lower(name) = lower(${goal?.event ?? ''})))
            and e.event_at >= p.tested_at and e.event_at < p.tested_at + ${withinMs}::float8 * interval '1 millisecond'
          where ${goal !== undefined}::boolean
            and e.event_at >= (select accepted_at from messages where app_id = ${appId} and id = ${messageId})
        )
        select p.variant as name, p.is_tested, count(*) as assigned,
          count(*) filter (where p.is_handed_over) as "handedOver", count(*) filter (where p.is_shown or p.is_opened) as shown,
          count(*) filter (where p.is_opened) as opened, count(*) filter (where p.is_acted) as acted,
          count(*) filter (where p.is_dismissed and not p.is_opened) as dismissed, count(g.user_no) as goal
        from people p left join reached g on g.user_no = p.user_no
        group by p.variant, p.is_tested`,
    'count-variants',
  )
  const counts = (isTested: boolean) => {
    return rows.flatMap(({ is_tested, ...count }) => (is_tested === isTested ? [count] : []))
  }
  return { tested: counts(true), others: counts(false) }
}

export function noCount(name: string): VariantCount {
  return { name, assigned: 0, handedOver: 0, shown: 0, opened: 0, acted: 0, dismissed: 0, goal: 0 }
}
