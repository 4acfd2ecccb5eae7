import sql from 'sql-template-tag'
import { type Invariant, invariant, leadsTo } from './invariant.ts'

/** An action may be reported several times, each time with its own receipt. */
const kinds = sql`(
  select app_id, message_id, installation_no, kind from receipts where kind <> 'acted'
  union all
  select distinct app_id, message_id, installation_no, kind from receipts where kind = 'acted'
)`

const receipts: Invariant[] = [
  leadsTo(
    'deliveries that a device reported have its receipt',
    sql`(select * from deliveries where state in ('delivered', 'shown', 'opened', 'acted', 'dismissed')) d
        left join ${kinds} r on r.app_id = d.app_id and r.message_id = d.message_id
          and r.installation_no = d.installation_no and r.kind = d.state`,
    sql`r.kind`,
    sql`d.message_id || ' ' || d.installation_no`,
  ),
]

/** Personal deliveries to devices that have not changed users since changes have been recorded. */
const sameOwner = sql`(
  select d.app_id, d.message_id, u.user_id
  from messages m
  join deliveries d on d.app_id = m.app_id and d.message_id = m.id
  join installations i on i.app_id = d.app_id and i.installation_no = d.installation_no
  join users u on u.app_id = i.app_id and u.user_no = i.user_no
  where m.audience = 'users' and i.user_change is null and i.guest_user_no is null
    and m.accepted_at > (select applied_at from migrations where name = '040-changes-of-user.sql')
)`

const recipients: Invariant[] = [
  leadsTo(
    'messages to users name at least one of them',
    sql`(select app_id, id from messages where audience = 'users') m
        left join (select distinct app_id, message_id from message_users) mu on mu.app_id = m.app_id and mu.message_id = m.id`,
    sql`mu.message_id`,
    sql`m.id`,
  ),
  leadsTo(
    'devices of messages to users belong to one of them',
    sql`${sameOwner} d left join message_users mu
        on mu.app_id = d.app_id and mu.message_id = d.message_id and mu.user_id = d.user_id`,
    sql`mu.user_id`,
    sql`d.message_id || ' ' || d.user_id`,
  ),
  invariant('deliveries that wait are in the inbox of their device', {
    from: sql`(
      select d.message_id, d.installation_no, d.in_inbox, coalesce(d.expires_at, m.expires_at) as ends_at
      from deliveries d join messages m on m.app_id = d.app_id and m.id = d.message_id
      where d.state = 'queued'
    ) d`,
    broken: sql`not d.in_inbox and d.ends_at > peyk_now()`,
    example: sql`d.message_id || ' ' || d.installation_no`,
  }),
]

const sms: Invariant[] = [
  leadsTo(
    'users of a message with an SMS have theirs',
    sql`(
      select mu.* from message_users mu join messages m on m.app_id = mu.app_id and m.id = mu.message_id
      where m.body ? 'fallback'
    ) mu left join sms_fallbacks f on f.app_id = mu.app_id and f.message_id = mu.message_id and f.user_id = mu.user_id`,
    sql`f.state`,
    sql`mu.message_id`,
  ),
  leadsTo(
    'SMS lead to the user of their message',
    sql`sms_fallbacks f left join message_users mu
        on mu.app_id = f.app_id and mu.message_id = f.message_id and mu.user_id = f.user_id`,
    sql`mu.user_id`,
    sql`f.message_id`,
  ),
  invariant('no SMS is being sent for longer than a day', {
    from: sql`sms_fallbacks f`,
    broken: sql`f.state = 'sending' and f.updated_at < peyk_now() - interval '1 day'`,
    example: sql`f.message_id`,
  }),
]

const ends: Invariant[] = [
  leadsTo(
    'ends of messages lead to the message',
    sql`message_ends e left join messages m on m.app_id = e.app_id and m.id = e.message_id`,
    sql`m.id`,
    sql`e.message_id`,
  ),
  leadsTo(
    'batches that wait for a local time have the end of their users',
    sql`(
      select * from delivery_batches
      where lane = 'later' and stream <> 'expand' and state in ('queued', 'paused') and expires_at > peyk_now()
    ) b left join message_ends e on e.app_id = b.app_id and e.message_id = b.message_id and e.ends_at = b.expires_at`,
    sql`e.ends_at`,
    sql`b.message_id || ' ' || b.batch_no`,
  ),
  leadsTo(
    'deliveries that wait until an end of their own have it',
    sql`(select * from deliveries where state = 'queued' and expires_at > peyk_now()) d
        left join (select distinct app_id, message_id from message_ends) e on e.app_id = d.app_id and e.message_id = d.message_id`,
    sql`e.message_id`,
    sql`d.message_id || ' ' || d.installation_no`,
  ),
]

const recalls: Invariant[] = [
  leadsTo(
    'recalls lead to a message that was recalled',
    sql`recalls r left join messages m on m.app_id = r.app_id and m.id = r.message_id and m.recalled_at is not null`,
    sql`m.id`,
    sql`r.message_id`,
  ),
  leadsTo(
    'recalled messages have their recall',
    sql`(select * from messages where recalled_at is not null) m
        left join recalls r on r.app_id = m.app_id and r.message_id = m.id`,
    sql`r.message_id`,
    sql`m.id`,
  ),
  leadsTo(
    'pushes of recalls lead to a recall whose devices are listed so far',
    sql`recall_batches b left join recalls r on r.app_id = b.app_id and r.message_id = b.message_id
          and b.installation_nos[cardinality(b.installation_nos)] <= r.listed_up_to`,
    sql`r.message_id`,
    sql`b.message_id`,
  ),
]

export const sendingInvariants: readonly Invariant[] = [...recipients, ...receipts, ...sms, ...ends, ...recalls]
