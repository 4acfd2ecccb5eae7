import sql from 'sql-template-tag'
import { currencyOfEvent, dayOfEvent } from '../../events/write/event-days.ts'
import { type Invariant, invariant } from './invariant.ts'

/**
 * Counts stay when old events are dropped [users-and-events.md#how-long-data-is-kept], a month of their arrival at a
 * time: days before the month of the app's oldest event may be counted higher. An event may come up to a day before it
 * is said to happen.
 */
const events = sql`(
  with kept as (
    select app_id, date_trunc('month', to_timestamp(
      ('x' || lpad(replace(left(min(id::text), 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0), 'UTC') as since
    from events group by app_id
  ), found as (
    select app_id, name, ${dayOfEvent(sql`event_at`)} as day, ${currencyOfEvent} as currency, count(*) as count,
      coalesce(sum(revenue), 0) as revenue
    from events group by 1, 2, 3, 4
  ), counted as (
    select app_id, name, day, currency, sum(count - forgotten) as count, sum(forgotten) as forgotten, sum(revenue) as revenue
    from event_days group by 1, 2, 3, 4
  )
  select coalesce(c.name, f.name) || ' ' || coalesce(c.day, f.day) as example,
    case when c.app_id is null then true
      when greatest(a.created_at, c.day::timestamp at time zone 'UTC' - interval '1 day') < coalesce(k.since, peyk_now())
        then coalesce(f.count, 0) > c.count
      else coalesce(f.count, 0) <> c.count or (c.forgotten = 0 and coalesce(f.revenue, 0) <> c.revenue) end as is_broken
  from counted c
  full join found f on f.app_id = c.app_id and f.name = c.name and f.day = c.day and f.currency = c.currency
  left join apps a on a.app_id = c.app_id
  left join kept k on k.app_id = c.app_id
) d`

/** Rows go when they are old or their user is forgotten, what was counted stays: it may only be larger. */
const uninstalls = sql`(
  select u.app_id, u.day, u.platform, u.count, u.churned, sum(d.uninstalls) as counted, sum(d.churned) as counted_churned
  from (
    select app_id, (uninstalled_at at time zone 'UTC')::date as day,
      case when device_type in ('android', 'ios', 'web') then device_type else 'other' end collate "C" as platform,
      count(*) as count, count(*) filter (where is_churn) as churned
    from uninstalls group by 1, 2, 3
  ) u
  left join activity_days d on d.app_id = u.app_id and d.day = u.day and d.platform = u.platform
  group by 1, 2, 3, 4, 5
) u`

const deliveries = sql`(
  select d.app_id, d.sent, d.delivered, d.shown, d.opened, sum(c.sent) as counted_sent, sum(c.delivered) as counted_delivered,
    sum(c.shown) as counted_shown, sum(c.opened) as counted_opened
  from (
    select app_id,
      count(*) filter (where sent_at is not null or state not in ('queued', 'ended')) as sent,
      count(*) filter (where state in ('delivered', 'shown', 'opened', 'acted', 'dismissed')) as delivered,
      count(*) filter (where state in ('shown', 'opened', 'acted', 'dismissed')) as shown,
      count(*) filter (where state in ('opened', 'acted')) as opened
    from deliveries group by app_id
  ) d
  left join delivery_days c on c.app_id = d.app_id
  group by 1, 2, 3, 4, 5
) d`

export const dayInvariants: readonly Invariant[] = [
  invariant('counts of events per day agree with the stored events', {
    from: events,
    broken: sql`d.is_broken`,
    example: sql`d.example`,
  }),
  invariant('counts of installs per day hold all installations', {
    from: sql`(select i.app_id, i.count, (select sum(installs) from activity_days d where d.app_id = i.app_id) as counted
               from (select app_id, count(*) as count from installations group by 1) i) i`,
    broken: sql`i.count > coalesce(i.counted, 0)`,
    example: sql`'app ' || i.app_id`,
  }),
  invariant('a day has no more active users than active installations, and no more of these than visits', {
    from: sql`(select app_id, day, sum(visits) as visits, sum(active_installations) as installations, sum(active_users) as users
               from activity_days group by 1, 2) d`,
    broken: sql`d.users > d.installations or d.installations > d.visits`,
    example: sql`'app ' || d.app_id || ' ' || d.day`,
  }),
  invariant('counts of uninstalls per day hold all uninstalls', {
    from: uninstalls,
    broken: sql`u.count > coalesce(u.counted, 0) or u.churned > coalesce(u.counted_churned, 0)`,
    example: sql`'app ' || u.app_id || ' ' || u.day || ' ' || u.platform`,
  }),
  invariant('counts of deliveries per day hold all deliveries', {
    from: deliveries,
    broken: sql`d.sent > coalesce(d.counted_sent, 0) or d.delivered > coalesce(d.counted_delivered, 0)
      or d.shown > coalesce(d.counted_shown, 0) or d.opened > coalesce(d.counted_opened, 0)`,
    example: sql`'app ' || d.app_id`,
  }),
  invariant('what was counted as delivered was counted as sent, and so on', {
    from: sql`(select app_id, sum(sent) as sent, sum(delivered) as delivered, sum(shown) as shown, sum(opened) as opened
               from delivery_days group by 1) d`,
    broken: sql`d.delivered > d.sent or d.shown > d.delivered or d.opened > d.shown`,
    example: sql`'app ' || d.app_id`,
  }),
]
