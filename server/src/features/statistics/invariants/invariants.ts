import sql from 'sql-template-tag'
import { appInvariants } from './app-invariants.ts'
import { dayInvariants } from './day-invariants.ts'
import { deliveryInvariants } from './delivery-invariants.ts'
import { eventInvariants } from './event-invariants.ts'
import { type Invariant, invariant, leadsTo } from './invariant.ts'
import { sendingInvariants } from './sending-invariants.ts'

const accounts: Invariant[] = [
  invariant('access tokens have a hash of 32 bytes and known scopes', {
    from: sql`access_tokens t`,
    broken: sql`length(t.hash) <> 32 or cardinality(t.scopes) = 0
      or not t.scopes <@ array['server', 'push', 'tags', 'events', 'promo', 'client', 'read']`,
    example: sql`t.token_id`,
  }),
  invariant('no idempotency key is stored twice', {
    from: sql`(select app_id, route, key, count(*) as times from idempotency_keys group by 1, 2, 3) k`,
    broken: sql`k.times > 1`,
    example: sql`k.route || ' ' || k.key`,
  }),
]

const installations: Invariant[] = [
  leadsTo(
    'installations belong to a user',
    sql`installations i left join users u using (app_id, user_no)`,
    sql`u.user_id`,
    sql`i.id`,
  ),
  leadsTo(
    'installations that were logged in lead to that user',
    sql`(select * from installations where login_user_no is not null) i
        left join users u on u.app_id = i.app_id and u.user_no = i.login_user_no`,
    sql`u.user_id`,
    sql`i.id`,
  ),
  leadsTo(
    'installations have their details',
    sql`installations i left join installation_details d using (app_id, installation_no)`,
    sql`d.details`,
    sql`i.id`,
  ),
  leadsTo(
    'installation details have their installation',
    sql`installation_details d left join installations i using (app_id, installation_no)`,
    sql`i.id`,
    sql`d.installation_no`,
  ),
  invariant('no push token belongs to two installations', {
    from: sql`(select app_id, device_token_hash, count(*) as times, min(installation_no) as first
               from installation_details where device_token_hash is not null group by 1, 2) d`,
    broken: sql`d.times > 1`,
    example: sql`d.first`,
  }),
  leadsTo(
    'tags belong to a user',
    sql`user_tags t left join users u using (app_id, user_no)`,
    sql`u.user_id`,
    sql`t.user_no || ' ' || t.tag`,
  ),
  leadsTo(
    'user attributes belong to a user',
    sql`user_attributes a left join users u using (app_id, user_no)`,
    sql`u.user_id`,
    sql`a.user_no || ' ' || a.name`,
  ),
  leadsTo(
    'installation attributes belong to an installation',
    sql`installation_attributes a left join installations i using (app_id, installation_no)`,
    sql`i.id`,
    sql`a.installation_no || ' ' || a.name`,
  ),
  leadsTo(
    'attribute names are known with their kind',
    sql`(select distinct app_id, name, false as on_installation from user_attributes
         union all select distinct app_id, name, true from installation_attributes) a
        left join attribute_names n on n.app_id = a.app_id and n.name = a.name and (n.on_installation or not a.on_installation)`,
    sql`n.kind`,
    sql`a.name`,
  ),
]

const promo: Invariant[] = [
  invariant('a campaign has at most one active promo set', {
    from: sql`(select app_id, track_id, count(*) as times from promo_sets where state = 'active' group by 1, 2) s`,
    broken: sql`s.times > 1`,
    example: sql`s.track_id`,
  }),
  invariant('active promo sets hold as many codes as they say', {
    from: sql`(select s.*, (select count(*) from promo_codes c where c.app_id = s.app_id and c.set_no = s.set_no) as found
               from promo_sets s where s.state = 'active') s`,
    broken: sql`s.found <> s.codes or s.codes + s.duplicates <> s.total_rows`,
    example: sql`s.set_id`,
  }),
  invariant('promo sets count the codes that were given from them', {
    from: sql`promo_sets s
      left join (select app_id, set_no, count(*) as found from promo_given group by 1, 2) g using (app_id, set_no)`,
    broken: sql`s.given <> coalesce(g.found, 0)`,
    example: sql`s.set_id`,
  }),
  invariant('promo codes that were given lie before the mark of their set', {
    from: sql`promo_given g join promo_sets s using (app_id, set_no)`,
    broken: sql`g.code > s.taken_up_to`,
    example: sql`g.code`,
  }),
  invariant('no promo code was given twice', {
    from: sql`(select app_id, code, count(*) as times from promo_given group by 1, 2) g`,
    broken: sql`g.times > 1`,
    example: sql`g.code`,
  }),
  invariant('no user has two promo codes of one message', {
    from: sql`(select app_id, message_id, user_no, count(*) as times from promo_given group by 1, 2, 3) g`,
    broken: sql`g.times > 1`,
    example: sql`g.message_id`,
  }),
]

/**
 * What became of the recipients of messages that nobody sends any more: rows, counts of those who were forgotten, and who
 * is listed in cancelled batches; one without a list stands for all others. A finished delivery may wait in the inbox, but
 * not long after the message has expired. Messages from before recipients were fixed when they were accepted do not count.
 */
const finished = sql`(
  select m.id, m.recipients, d.overdue, case when b.is_open then m.recipients else d.count + c.count + b.count end as ended
  from messages m
  cross join lateral (
    select count(*) filter (where d.reason is distinct from 'not-in-channel') as count,
      count(*) filter (where d.state = 'queued' and m.expires_at between peyk_now() - interval '7 days' and peyk_now() - interval '1 day') as overdue
    from deliveries d where d.app_id = m.app_id and d.message_id = m.id
  ) d
  cross join lateral (
    select coalesce(sum(c.forgotten), 0) as count from delivery_counters c
    where c.app_id = m.app_id and c.message_id = m.id and c.reason <> 'not-in-channel'
  ) c
  cross join lateral (
    select count(l.number) filter (where not exists (
        select from deliveries d where d.app_id = m.app_id and d.message_id = m.id and d.installation_no = l.number)) as count,
      coalesce(bool_or(b.installation_nos is null), false) as is_open
    from delivery_batches b left join lateral unnest(b.installation_nos) as l(number) on true
    where b.app_id = m.app_id and b.message_id = m.id and b.state = 'cancelled'
  ) b
  where m.accepted_at > (select applied_at from migrations where name = '012-numbers.sql')
    and (m.audience = 'users' or m.finished_at is not null)
    and not exists (
      select from delivery_batches b where b.app_id = m.app_id and b.message_id = m.id and b.state in ('queued', 'paused'))
) m`

const messages: Invariant[] = [
  leadsTo(
    'campaigns of group messages exist',
    sql`(select * from messages where audience = 'query' and track_id is not null) m left join campaigns c using (app_id, track_id)`,
    sql`c.name`,
    sql`m.id`,
  ),
  leadsTo(
    'users of messages lead to the message',
    sql`message_users mu left join messages m on m.app_id = mu.app_id and m.id = mu.message_id`,
    sql`m.id`,
    sql`mu.message_id`,
  ),
  leadsTo(
    'delivery batches lead to the message',
    sql`delivery_batches b left join messages m on m.app_id = b.app_id and m.id = b.message_id`,
    sql`m.id`,
    sql`b.message_id`,
  ),
  leadsTo(
    'deliveries lead to the message',
    sql`deliveries d left join messages m on m.app_id = d.app_id and m.id = d.message_id`,
    sql`m.id`,
    sql`d.message_id`,
  ),
  leadsTo(
    'occurrences that are to go lead to their series',
    sql`(select * from scheduled_messages where series_id is not null and cancelled_at is null) o
        left join series s on s.app_id = o.app_id and s.id = o.series_id`,
    sql`s.rule`,
    sql`o.id`,
  ),
  invariant('a series that goes on has an occurrence ahead, and not many', {
    from: sql`(select s.id, (select count(*) from scheduled_messages o
                 where o.app_id = s.app_id and o.series_id = s.id and o.cancelled_at is null) as ahead
               from series s where s.state = 'active') s`,
    broken: sql`s.ahead not between 1 and 100`,
    example: sql`s.id`,
  }),
  leadsTo(
    'batches that wait for their turn lead to the pace of their message',
    sql`(select * from delivery_batches where paced_from is not null and state = 'queued') b
        left join message_paces p on p.app_id = b.app_id and p.message_id = b.message_id`,
    sql`p.next_at`,
    sql`b.message_id`,
  ),
  invariant('messages have no more installations in their batches than recipients', {
    from: sql`(select m.id, m.recipients, sum(cardinality(b.installation_nos)) as listed
               from messages m join delivery_batches b on b.app_id = m.app_id and b.message_id = m.id
               where m.audience = 'users' group by m.app_id, m.id, m.recipients) m`,
    broken: sql`m.listed > m.recipients`,
    example: sql`m.id`,
  }),
  invariant('every recipient of a message that is finished has an end', {
    from: finished,
    broken: sql`m.ended < m.recipients or m.overdue > 0`,
    example: sql`m.id`,
  }),
  invariant('messages have no more deliveries than recipients', {
    from: sql`(select m.id, m.recipients, count(*) filter (where d.reason is distinct from 'not-in-channel') as delivered
               from messages m join deliveries d on d.app_id = m.app_id and d.message_id = m.id
               group by m.app_id, m.id, m.recipients) m`,
    broken: sql`m.delivered > m.recipients`,
    example: sql`m.id`,
  }),
]

/** Everything `peyk verify` checks, in the order in which data travels. */
export const invariants: readonly Invariant[] = [
  ...accounts,
  ...installations,
  ...eventInvariants,
  ...promo,
  ...messages,
  ...deliveryInvariants,
  ...sendingInvariants,
  ...dayInvariants,
  ...appInvariants,
]
