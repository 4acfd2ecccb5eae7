import { controlName } from '@peyk/contract'
import sql from 'sql-template-tag'
import { countedRecipients } from '../../messages/accept/counted-recipients.ts'
import { defaultTexts } from '../../messages/compose/language-tags.ts'
import { type Invariant, invariant, leadsTo } from './invariant.ts'

/** Deliveries of forgotten users have no row, and the counters say how many they are: the two must agree exactly. */
const counters = sql`(
  select coalesce(c.message_id, d.message_id) || ' ' || coalesce(c.state, d.state) || ' ' || coalesce(c.reason, d.reason) as name,
    coalesce(c.count, 0) as counted, coalesce(d.count, 0) as found
  from (
    select app_id, message_id, state, reason, sum(count - forgotten) as count
    from delivery_counters group by app_id, message_id, state, reason
  ) c
  full join (
    select d.app_id, d.message_id, d.state collate "C" as state, coalesce(d.reason, '') collate "C" as reason, count(*) as count
    from deliveries d join messages m on m.app_id = d.app_id and m.id = d.message_id
    where m.recipients >= ${countedRecipients} group by 1, 2, 3, 4
  ) d on d.app_id = c.app_id and d.message_id = c.message_id and d.state = c.state and d.reason = c.reason
) k`

/** The same for languages. */
const languages = sql`(
  select coalesce(c.message_id, d.message_id) || ' ' || coalesce(c.language, d.language) as name,
    coalesce(c.count, 0) as counted, coalesce(d.count, 0) as found
  from (
    select app_id, message_id, language, sum(count - forgotten) as count
    from language_counters group by app_id, message_id, language
  ) c
  full join (
    select d.app_id, d.message_id, d.language, count(*) as count
    from deliveries d join messages m on m.app_id = d.app_id and m.id = d.message_id
    where d.language is not null and m.recipients >= ${countedRecipients} group by 1, 2, 3
  ) d on d.app_id = c.app_id and d.message_id = c.message_id and d.language = c.language
) k`

/** Counters stay when the events of a user are forgotten or old ones dropped: they may only be larger. */
const influence = sql`(
  select m.id, count(*) as found,
    coalesce((select sum(c.events) from influence_counters c where c.app_id = m.app_id and c.message_id = m.id), 0) as counted
  from events e join messages m on m.app_id = e.app_id and m.id = e.influence_message_id
  group by m.app_id, m.id
) m`

const actions = sql`(
  select r.message_id, r.action_id, count(*) as found, coalesce(max(c.count), 0) as counted
  from receipts r left join action_counters c on c.app_id = r.app_id and c.message_id = r.message_id and c.action_id = r.action_id
  where r.kind = 'acted' group by r.app_id, r.message_id, r.action_id
) r`

export const deliveryInvariants: readonly Invariant[] = [
  leadsTo(
    'counters of deliveries lead to the message',
    sql`delivery_counters c left join messages m on m.app_id = c.app_id and m.id = c.message_id`,
    sql`m.id`,
    sql`c.message_id`,
  ),
  invariant('counters of deliveries agree with the deliveries', {
    from: counters,
    broken: sql`k.counted <> k.found`,
    example: sql`k.name`,
  }),
  leadsTo(
    'counters of languages lead to the message',
    sql`language_counters c left join messages m on m.app_id = c.app_id and m.id = c.message_id`,
    sql`m.id`,
    sql`c.message_id`,
  ),
  invariant('counters of languages agree with the deliveries', {
    from: languages,
    broken: sql`k.counted <> k.found`,
    example: sql`k.name`,
  }),
  leadsTo(
    'decided winners lead to the message',
    sql`variant_decisions w left join messages m on m.app_id = w.app_id and m.id = w.message_id`,
    sql`m.id`,
    sql`w.message_id`,
  ),
  invariant('deliveries of a test have a variant of their message, and outside of it the winner', {
    from: sql`(
      select d.message_id, d.variant, d.tested_at, m.body, w.variant as won
      from deliveries d join messages m on m.app_id = d.app_id and m.id = d.message_id
      left join variant_decisions w on w.app_id = d.app_id and w.message_id = d.message_id
      where d.variant is not null
    ) d`,
    broken: sql`case d.variant
      when ${controlName} then d.body -> 'control' is null or d.tested_at is null
      when ${defaultTexts} then d.body -> 'variants' is not null
      else not coalesce(d.body -> 'variants' @> jsonb_build_array(jsonb_build_object('name', d.variant)), false)
    end or (d.tested_at is null and d.won is distinct from d.variant)`,
    example: sql`d.message_id || ' ' || d.variant`,
  }),
  invariant('deliveries that were sent say when', {
    from: sql`(select * from deliveries where state = 'sent') d`,
    broken: sql`d.sent_at is null or d.provider is null`,
    example: sql`d.message_id || ' ' || d.installation_no`,
  }),
  invariant('deliveries that ended say why, and only they do', {
    from: sql`deliveries d`,
    broken: sql`(d.state = 'ended') <> (d.reason is not null)`,
    example: sql`d.message_id || ' ' || d.installation_no`,
  }),
  leadsTo(
    'receipts have their delivery',
    sql`receipts r left join deliveries d using (app_id, message_id, installation_no)`,
    sql`d.state`,
    sql`r.message_id || ' ' || r.installation_no`,
  ),
  invariant('counters of actions hold all that was reported', {
    from: actions,
    broken: sql`r.counted < r.found`,
    example: sql`r.message_id || ' ' || r.action_id`,
  }),
  invariant('counters of influence hold all events that came after a message', {
    from: influence,
    broken: sql`m.counted < m.found`,
    example: sql`m.id`,
  }),
]
