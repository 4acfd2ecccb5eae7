-- What delivery needs: credentials, the work-list with leases, what was tried, and who is told.

-- accounts ------------------------------------------------------------------------------------------------------------
-- sealed: see base/secrets/secret-box.ts. shown is the part that is no secret: a project, a key id, a public key.
create table provider_credentials (
  app_id integer not null references apps,
  provider text not null check (provider in ('fcm', 'apns', 'webpush', 'sms')),
  sealed bytea not null,
  shown jsonb not null,
  is_simulated boolean not null default false,
  set_at timestamptz not null default now(),
  paused_at timestamptz,
  paused_reason text,
  primary key (app_id, provider)
);

-- What a person has to look at. One open row per app, kind and subject.
create table alerts (
  app_id integer not null references apps,
  alert_id uuid not null,
  kind text not null,
  subject text collate "C" not null default '',
  text text not null,
  details jsonb not null default '{}',
  raised_at timestamptz not null default now(),
  cleared_at timestamptz,
  primary key (app_id, alert_id)
);
create unique index alerts_open on alerts (app_id, kind, subject) where cleared_at is null;

-- Apple wants one token per team and key, renewed seldom: all processes share it.
create table apns_tokens (
  team_id text collate "C" not null,
  key_id text collate "C" not null,
  key_hash bytea not null,
  sealed bytea not null,
  issued_at timestamptz not null,
  primary key (team_id, key_id, key_hash)
);

-- promo ---------------------------------------------------------------------------------------------------------------
-- How many of a set were given, and when somebody was told that few are left.
alter table promo_sets add column given bigint not null default 0;
alter table promo_sets add column low_told_at timestamptz;
update promo_sets s set given = (select count(*) from promo_given g where g.app_id = s.app_id and g.set_no = s.set_no)
where state = 'active';

-- messages ------------------------------------------------------------------------------------------------------------
alter table messages add column paused_at timestamptz;
-- When the last delivery of a group send was handed over or ended.
alter table messages add column finished_at timestamptz;
-- Whose inbox deliveries are to be ended.
create index messages_by_expiry on messages (expires_at);
create index messages_unfinished on messages (app_id, id) where audience <> 'users' and finished_at is null;

-- deliveries ----------------------------------------------------------------------------------------------------------
-- A batch is taken by setting its holder and moving available_at to the end of the lease; a done batch is deleted.
-- stream: expand (an audience without a list), mixed (a user's devices), else the provider its installations have.
delete from delivery_batches where state = 'done';
alter table delivery_batches drop column lease_until;
alter table delivery_batches drop constraint delivery_batches_state_check;
alter table delivery_batches add constraint delivery_batches_state_check check (state in ('queued', 'paused', 'cancelled'));
alter table delivery_batches add column stream text collate "C" not null default 'mixed';
alter table delivery_batches add column expanded_up_to bigint;
alter table delivery_batches add column was_unclear boolean not null default false;
-- Rows come and go all the time: they are cleared away by number, not by share of the table.
alter table delivery_batches set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 20000);
update delivery_batches set stream = 'expand' where installation_nos is null;
drop index if exists delivery_batches_queued;
create index delivery_batches_queued on delivery_batches (lane, app_id, stream, available_at) where state = 'queued';

alter table deliveries add column sent_at timestamptz;
alter table deliveries add column detail text;
create index deliveries_queued on deliveries (app_id, message_id) where state = 'queued';

-- What a provider answered when it did not accept.
create table delivery_attempts (
  app_id integer not null,
  message_id uuid not null,
  installation_no bigint not null,
  attempted_at timestamptz not null,
  provider text not null,
  outcome text not null,
  detail text
) partition by range (message_id);
create index delivery_attempts_by_delivery on delivery_attempts (app_id, message_id, installation_no);

-- How many deliveries of a message are in a state now; for messages to many, see messages/accept/counted-recipients.ts: those of
-- a message to few are counted when somebody asks. Slot 0 takes what comes in small numbers, the others large ones, so
-- that writers do not wait for one another. forgotten: as many of them have no row any more, their user was forgotten.
create table delivery_counters (
  app_id integer not null,
  message_id uuid not null,
  slot smallint not null,
  state text collate "C" not null,
  reason text collate "C" not null default '',
  count bigint not null,
  forgotten bigint not null default 0,
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (app_id, message_id, slot, state, reason)
) with (fillfactor = 70);
create index delivery_counters_unfolded on delivery_counters (app_id, message_id) where slot > 0;
insert into delivery_counters (app_id, message_id, slot, state, reason, count, first_at, last_at)
select d.app_id, d.message_id, 0, d.state, coalesce(d.reason, ''), count(*), min(d.updated_at), max(d.updated_at)
from deliveries d join messages m on m.app_id = d.app_id and m.id = d.message_id
where m.recipients >= 20 group by 1, 2, 4, 5;

-- How many installations took which action of a message.
create table action_counters (
  app_id integer not null,
  message_id uuid not null,
  action_id text collate "C" not null,
  count bigint not null,
  primary key (app_id, message_id, action_id)
);
insert into action_counters (app_id, message_id, action_id, count)
select app_id, message_id, action_id, count(*) from receipts where kind = 'acted' group by 1, 2, 3;

-- "Gone" answers that came in such numbers that the fault is more likely ours: a person decides.
create table held_uninstalls (
  app_id integer not null,
  provider text not null,
  installation_no bigint not null,
  device_token text not null,
  held_at timestamptz not null default now(),
  primary key (app_id, provider, installation_no)
);

-- One pass a day over the tokens of an app and provider; checked_up_to is where it goes on after a crash.
create table token_checks (
  app_id integer not null,
  provider text not null,
  checked_on date not null,
  checked_up_to bigint not null default 0,
  checked bigint not null default 0,
  gone bigint not null default 0,
  finished_at timestamptz,
  primary key (app_id, provider, checked_on)
);

-- [sending.md#sms-fallback] The row decides between a late receipt and the SMS: whoever moves it out of 'waiting' wins.
create table sms_fallbacks (
  app_id integer not null,
  message_id uuid not null,
  user_id text collate "C" not null,
  due_at timestamptz not null,
  state text not null default 'waiting'
    check (state in ('waiting', 'cancelled', 'sending', 'sent', 'refused', 'unknown', 'no-phone', 'no-provider', 'expired', 'over-limit')),
  phone text,
  reference uuid,
  detail text,
  updated_at timestamptz not null default now(),
  primary key (app_id, message_id, user_id)
);
create index sms_fallbacks_due on sms_fallbacks (app_id, due_at) where state = 'waiting';
create index sms_fallbacks_sending on sms_fallbacks (updated_at) where state = 'sending';

create table sms_days (
  app_id integer not null,
  day date not null,
  sent integer not null,
  primary key (app_id, day)
);

-- events and campaigns: what followed a message ------------------------------------------------------------------------
-- The trackId is the message's: it is needed when the message is no longer kept.
create table influence_counters (
  app_id integer not null,
  message_id uuid not null,
  currency text collate "C" not null default '',
  track_id text collate "C",
  events bigint not null,
  direct_events bigint not null,
  revenue numeric not null default 0,
  primary key (app_id, message_id, currency)
);
create index influence_counters_by_track_id on influence_counters (app_id, track_id) where track_id is not null;
insert into influence_counters (app_id, message_id, currency, track_id, events, direct_events, revenue)
select e.app_id, m.id, case when octet_length(upper(e.currency)) <= 255 then upper(e.currency) else '' end, min(m.track_id),
  count(*), count(*) filter (where e.influence_direct), coalesce(sum(e.revenue), 0)
from (select app_id, influence_message_id, influence_direct, revenue, coalesce(currency, '') as currency
      from events where influence_message_id is not null) e
join messages m on m.app_id = e.app_id and m.id = e.influence_message_id
group by 1, 2, 3;

-- An installation opened a message. What it does within 12 hours counts for the message, where the device itself names
-- none: see events/influence/attribute-events.ts. events_from: no event that came for it has a smaller id.
create table influence_windows (
  app_id integer not null,
  installation_no bigint not null,
  message_id uuid not null,
  opened_at timestamptz not null,
  events_from uuid not null,
  primary key (app_id, installation_no, message_id)
);

-- Sums of messages that are no longer kept, so that a campaign's counts stay. Beside the states, 'messages' counts the
-- messages themselves and 'recipients' whom they went to.
create table campaign_counters (
  app_id integer not null,
  track_id text collate "C" not null,
  state text collate "C" not null,
  reason text collate "C" not null default '',
  count bigint not null,
  primary key (app_id, track_id, state, reason)
);

-- webhooks ------------------------------------------------------------------------------------------------------------
-- What happened, left by any feature for whom it may concern; see features/outbox/outbox.ts.
create table outbox (
  app_id integer not null,
  event_no bigint generated always as identity,
  id uuid not null,
  kind text not null,
  happened_at timestamptz not null,
  body jsonb not null,
  primary key (app_id, event_no)
);
create index outbox_in_order on outbox (event_no);

create table webhooks (
  app_id integer not null references apps,
  webhook_id uuid not null,
  url text not null,
  sealed_secret bytea not null,
  events text[] not null,
  created_at timestamptz not null default now(),
  failing_since timestamptz,
  disabled_at timestamptz,
  disabled_reason text,
  primary key (app_id, webhook_id)
);

create table webhook_calls (
  app_id integer not null,
  webhook_id uuid not null,
  call_no bigint generated always as identity,
  event_id uuid not null,
  kind text not null,
  happened_at timestamptz not null,
  body jsonb not null,
  state text not null default 'waiting' check (state in ('waiting', 'failed')),
  attempts integer not null default 0,
  available_at timestamptz not null default now(),
  lease_holder uuid,
  created_at timestamptz not null default now(),
  primary key (app_id, webhook_id, call_no)
);
create index webhook_calls_waiting on webhook_calls (app_id, webhook_id, available_at, call_no) where state = 'waiting';
create index webhook_calls_created on webhook_calls (created_at);

create table webhook_attempts (
  app_id integer not null,
  webhook_id uuid not null,
  attempted_at timestamptz not null,
  event_id uuid not null,
  kind text not null,
  status integer,
  detail text not null,
  took_ms integer not null,
  primary key (app_id, webhook_id, attempted_at, event_id)
);
create index webhook_attempts_by_time on webhook_attempts (attempted_at);
