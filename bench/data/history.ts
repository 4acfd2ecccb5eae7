import { createPartitions } from '@peyk/server/base/store/partitions.ts'
import type { PeykDatabase } from '../subjects/peyk.ts'
import { fill } from './fill.ts'
import { chance, pick } from './random.ts'

const DAY_MS = 86_400_000
const days = 180
const eventNames = 300
const groupMessages = 5_000
const campaigns = 200

/** What a big app has behind it besides its people: days, events, messages and what became of them, codes. */
export async function fillHistory({ connection, store, appId }: PeykDatabase, scale: number): Promise<void> {
  for (const past of [60, 30]) await createPartitions(store, new Date(Date.now() - past * DAY_MS))
  await fill(connection, [
    ...countsPerDay(appId),
    ...events(appId, scale),
    ...messages(appId),
    ...oneMessageToMany(appId, Math.round(scale * 0.4)),
    ...oneMessageWaiting(appId, Math.round(scale * 0.2)),
    ...codes(appId, Math.round(scale / 10)),
    ...segments(appId),
    'vacuum analyze',
  ])
}

const ago = (column: string, salt: number, length: string) => `power(${chance(column, salt)}, 2) * interval '${length}'`

const countsPerDay = (appId: number) => [
  `insert into activity_days (app_id, day, platform, slot, installs, visits, active_installations, active_users)
   select ${appId}, current_date - d, platform, slot, 500, 90000, 40000, 36000
   from generate_series(0, ${days}) d, unnest(array['android', 'ios', 'web', 'other']) platform, generate_series(0, 3) slot`,
  `insert into delivery_days (app_id, day, platform, slot, sent, delivered, shown, opened)
   select ${appId}, current_date - d, platform, slot, 90000, 80000, 60000, 9000
   from generate_series(0, ${days}) d, unnest(array['android', 'ios', 'web', 'other']) platform, generate_series(0, 3) slot`,
  `insert into event_days (app_id, name, day, currency, slot, count, revenue)
   select ${appId}, 'event ' || n, current_date - d, currency, 0, 40000 / n, case currency when '' then 0 else 990000 / n end
   from generate_series(1, ${eventNames}) n, generate_series(0, ${days}) d, unnest(array['', 'IRR', 'EUR']) currency
   where currency = '' or n % 10 = 0`,
  `insert into uninstalls (app_id, uninstalled_at, installation_no, installation_id, device_type, user_id, is_churn)
   select app_id, uninstalled_at, installation_no, id, device_type, 'user-' || installation_no, installation_no % 2 = 0
   from installations where app_id = ${appId} and uninstalled_at is not null order by uninstalled_at`,
  `update installations set subscriptions = array['public/news', 'public/channel-' || installation_no % 997]
   where app_id = ${appId} and installation_no % 20 = 0`,
]

const events = (appId: number, scale: number) => [
  `insert into events (app_id, id, user_no, installation_no, event_at, name, data, revenue, currency)
   select ${appId}, uuidv7(-since), i.user_no, i.installation_no, now() - since, name, jsonb_build_object('seats', n % 7, 'city', 'c' || n % 90),
     case when n % 10 = 0 then n % 500 end, case when n % 10 = 0 then 'EUR' end
   from (
     select n, ${ago('n', 50, '90 days')} as since, 'event ' || ceil(power(${eventNames}, ${chance('n', 51)})) as name, ${pick('n', 52, scale)} as no
     from generate_series(1::bigint, ${scale}) n
   ) made join installations i on i.app_id = ${appId} and i.installation_no = no order by since desc`,
]

const messages = (appId: number) => [
  `insert into campaigns (app_id, track_id, name, created_at)
   select ${appId}, 'campaign-' || n, 'Campaign ' || n, now() - n * interval '10 hours' from generate_series(1, ${campaigns}) n`,
  `insert into messages (app_id, id, accepted_at, expires_at, finished_at, recipients, product, audience, channel, track_id, body, target)
   select ${appId}, uuidv7(-since), now() - since, now() - since + interval '7 days', now() - since + interval '5 minutes', 1000 + n % 50000, 'message',
     'query', 'default', case when n % 5 > 0 then 'campaign-' || 1 + n % ${campaigns} end,
     jsonb_build_object('content', repeat('Words of message ' || n || ' ', 20), 'notification', jsonb_build_object('title', 'Title ' || n)), '{"target": {"deviceType": "android"}}'
   from (select n, n * interval '25 minutes' as since from generate_series(1, ${groupMessages}) n) made`,
  `insert into delivery_counters (app_id, message_id, slot, state, reason, count, first_at, last_at)
   select m.app_id, m.id, 0, state, reason, m.recipients / 6, m.accepted_at, m.accepted_at
   from messages m, (values ('sent', ''), ('delivered', ''), ('shown', ''), ('opened', ''), ('ended', 'no-provider'), ('ended', 'gone')) s(state, reason)
   where m.app_id = ${appId}`,
  `insert into influence_counters (app_id, message_id, currency, track_id, events, direct_events, revenue)
   select m.app_id, m.id, currency, m.track_id, 70, 7, 990 from messages m, unnest(array['IRR', 'EUR']) currency where m.app_id = ${appId}`,
  // To one user each: the first has 500 of them.
  `insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, track_id, body)
   select ${appId}, uuidv7(-since), now() - since, now() - since + interval '7 days', 1, 'message', 'users', 'default',
     case when n % 2 = 0 then 'campaign-' || 1 + n % 10 end, '{"content": "Your parcel is here"}'
   from (select n, ${ago('n', 60, '90 days')} as since from generate_series(1::bigint, 100000) n) made`,
  `insert into message_users (app_id, message_id, user_id)
   select app_id, id, 'user-' || case when n <= 500 then 1 else n end
   from (select app_id, id, row_number() over (order by hashint8(extract(epoch from accepted_at)::bigint)) as n
         from messages where app_id = ${appId} and audience = 'users') m`,
  `insert into deliveries (app_id, message_id, installation_no, state, provider, sent_at, updated_at)
   select m.app_id, m.message_id, i.installation_no, 'delivered', 'fcm', now(), now()
   from message_users m join users u using (app_id, user_id) join installations i on i.app_id = u.app_id and i.user_no = u.user_no
   where m.app_id = ${appId}`,
]

/** The latest of all, an hour old: half of its installations opened it, one in a thousand did not get it. */
const oneMessageToMany = (appId: number, recipients: number) => {
  const message = `(select app_id, id, accepted_at from messages where app_id = ${appId} and audience = 'public')`
  return [
    `insert into messages (app_id, id, accepted_at, expires_at, recipients, product, audience, channel, body, finished_at)
     select ${appId}, uuidv7(-interval '1 hour'), now() - interval '1 hour', now() + interval '7 days', ${recipients}, 'message', 'public',
       'default', '{"content": "To everybody", "notification": {"title": "Sale"}}', now()`,
    `insert into deliveries (app_id, message_id, installation_no, state, reason, provider, sent_at, updated_at)
     select m.app_id, m.id, n, case when n % 1000 = 999 then 'ended' when n % 2 = 0 then 'opened' else 'delivered' end,
       case when n % 1000 = 999 then 'gone' end, 'fcm', now(), now()
     from ${message} m, generate_series(1::bigint, ${recipients}) n`,
    `insert into receipts (app_id, message_id, installation_no, kind, happened_at, received_at)
     select m.app_id, m.id, n, 'opened', accepted_at + ${chance('n', 70)} * interval '1 hour', now()
     from ${message} m, generate_series(2::bigint, ${recipients}, 2) n`,
    `insert into delivery_counters (app_id, message_id, slot, state, reason, count, first_at, last_at)
     select app_id, message_id, 0, state, coalesce(reason, ''), count(*), now(), now() from deliveries
     where app_id = ${appId} and message_id = (select id from ${message} m) group by 1, 2, 4, 5`,
  ]
}

/** Paused, so that it stays as it is: all of its installations are still listed. */
const oneMessageWaiting = (appId: number, recipients: number) => [
  `with m as (
     insert into messages (app_id, id, accepted_at, expires_at, paused_at, recipients, product, audience, channel, body, target)
     values (${appId}, uuidv7(-interval '30 minutes'), now() - interval '30 minutes', now() + interval '7 days', now(), ${recipients}, 'message',
       'query', 'default', '{"content": "Not yet"}', '{"target": {}}')
     returning id
   )
   insert into delivery_batches (app_id, message_id, lane, state, stream, installation_nos)
   select ${appId}, m.id, 'group', 'paused', 'fcm', array(select generate_series(b * 500 + 1, b * 500 + 500))
   from m, generate_series(0, ${Math.ceil(recipients / 500) - 1}) b`,
]

const codes = (appId: number, count: number) => [
  `insert into promo_sets (app_id, set_id, track_id, state, total_rows, codes, given, activated_at)
   select ${appId}, gen_random_uuid(), track_id, 'active', ${count}, ${count}, ${count * 0.95}, now()
   from unnest(array['', 'campaign-1', 'campaign-2']) track_id`,
  `insert into promo_codes (app_id, set_no, code)
   select app_id, set_no, set_no || '-' || n from promo_sets, generate_series(1, ${count}) n where app_id = ${appId} order by 1, 2, 3`,
  `insert into promo_given (app_id, code, message_id, user_no, set_no)
   select app_id, set_no || '-' || n, uuidv7(), n, set_no from promo_sets, generate_series(1, ${Math.round(count * 0.95)}) n where app_id = ${appId}`,
]

const segments = (appId: number) => [
  `insert into segments (app_id, segment_id, name, definition)
   select ${appId}, gen_random_uuid(), 'Segment ' || n, '{"all": [{"name": "deviceType", "operator": "equal_to", "value": "ios"}]}'
   from generate_series(1, 100) n`,
  `insert into segment_sizes (app_id, segment_id, day, count)
   select app_id, segment_id, current_date - d, 1000 + d from segments, generate_series(0, 90) d where app_id = ${appId}`,
]
