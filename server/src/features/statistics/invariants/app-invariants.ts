import { transactional } from '@peyk/contract'
import sql from 'sql-template-tag'
import { everything } from '../../categories/preferences/preference-store.ts'
import { type Invariant, invariant, leadsTo } from './invariant.ts'

/**
 * Deleted categories stay known by name, because messages still name them. Messages from before that are not checked.
 */
const namedCategories = sql`(
  select app_id, body ->> 'category' as category, min(id::text) as first_id from messages
  where body ? 'category' and accepted_at > (select applied_at from migrations where name = '045-deleted-categories.sql')
  group by 1, 2
)`

const categories: Invariant[] = [
  leadsTo(
    'categories of messages exist, or were deleted',
    sql`(select * from ${namedCategories} m where category not in ('', ${transactional})) m
        left join (select app_id, id from categories union select app_id, id from deleted_categories) c
          on c.app_id = m.app_id and c.id = m.category collate "C"`,
    sql`c.id`,
    sql`m.category || ' of ' || m.first_id`,
  ),
  leadsTo(
    'the category of sends to groups exists',
    sql`(select app_id, label, settings ->> 'groupCategory' as category from apps where settings ->> 'groupCategory' <> '') a
        left join categories c on c.app_id = a.app_id and c.id = a.category collate "C"`,
    sql`c.id`,
    sql`a.label || ' ' || a.category`,
  ),
  leadsTo(
    'preferences belong to a user and name a category',
    sql`user_preferences p left join users u on u.app_id = p.app_id and u.user_no = p.user_no
        left join categories c on c.app_id = p.app_id and c.id = p.category`,
    sql`case when c.id is not null or p.category = ${everything} then u.user_no end`,
    sql`p.user_no || ' ' || p.category`,
  ),
]

const caps: Invariant[] = [
  invariant('messages that count against caps belong to a user, are complete and in order', {
    from: sql`recent_hand_overs r left join users u on u.app_id = r.app_id and u.user_no = r.user_no`,
    broken: sql`u.user_no is null or cardinality(r.categories) <> cardinality(r.message_ids)
      or cardinality(r.times) <> cardinality(r.message_ids) or r.times <> array(select at from unnest(r.times) as t(at) order by at)`,
    example: sql`r.user_no`,
  }),
]

const webhooks: Invariant[] = [
  leadsTo(
    'calls of webhooks lead to the webhook',
    sql`webhook_calls c left join webhooks w on w.app_id = c.app_id and w.webhook_id = c.webhook_id`,
    sql`w.url`,
    sql`c.webhook_id`,
  ),
  leadsTo(
    'events that wait for webhooks belong to an app',
    sql`outbox o left join apps a on a.app_id = o.app_id`,
    sql`a.label`,
    sql`o.id`,
  ),
]

/**
 * Counts of the last seconds before a process was killed are lost, and messages accepted just before midnight count for
 * the next day. The row of a day exists within a minute in any case.
 */
const usage = sql`(
  select m.label, m.day, u.app_id is null or m.is_counted and u.messages = 0 as is_broken from (
    select a.app_id, a.label, (m.accepted_at at time zone 'UTC')::date as day,
      bool_or(m.accepted_at < peyk_now() - interval '1 hour') as is_counted
    from messages m join apps a on a.app_id = m.app_id and m.accepted_at >= a.created_at
    where m.accepted_at > (select applied_at from migrations where name = '037-usage.sql')
      and m.accepted_at < peyk_now() - interval '2 minutes' and (m.accepted_at at time zone 'UTC')::time < '23:59:50'
    group by 1, 2, 3
  ) m left join usage_days u on u.app_id = m.app_id and u.day = m.day
) u`

const counted: Invariant[] = [
  invariant('days on which messages were accepted have their usage', {
    from: usage,
    broken: sql`u.is_broken`,
    example: sql`u.label || ' ' || u.day`,
  }),
  invariant('no figure of usage is below zero', {
    from: sql`usage_days u`,
    broken: sql`least(u.messages, u.deliveries, u.events, u.new_installations, u.installations, u.active_installations, u.connections) < 0`,
    example: sql`'app ' || u.app_id || ' ' || u.day`,
  }),
]

const approvals: Invariant[] = [
  invariant('approvals say when and by whom they were decided, and only approved ones what was sent', {
    from: sql`send_approvals a`,
    broken: sql`(a.decision is null) <> (a.decided_at is null) or (a.decision is null) <> (a.decided_by is null)
      or a.decision is distinct from 'approved' and coalesce(a.message_id, a.series_id) is not null
      or a.lapses_at < a.asked_at`,
    example: sql`a.id`,
  }),
]

export const appInvariants: readonly Invariant[] = [...categories, ...caps, ...webhooks, ...counted, ...approvals]
