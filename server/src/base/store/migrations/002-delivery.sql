-- What delivery needs: credentials, the work-list with leases, what was tried, and who is told.

-- accounts ------------------------------------------------------------------------------------------------------------
-- sealed: see base/secret-box.ts. shown is the part that is no secret: a project, a key id, a public key.
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
  sealed bytea not null,
  issued_at timestamptz not null,
  primary key (team_id, key_id)
);

-- messages ------------------------------------------------------------------------------------------------------------
alter table messages add column paused_at timestamptz;
-- When the last delivery of a group send was handed over or ended.
alter table messages add column finished_at timestamptz;

-- deliveries ----------------------------------------------------------------------------------------------------------
-- A batch is taken by setting its holder and moving available_at to the end of the lease; a done batch is deleted.
-- stream: expand (an audience without a list), mixed (a user's devices), else the provider its installations have.
delete from delivery_batches where state = 'done';
alter table delivery_batches drop column lease_until;
alter table delivery_batches drop constraint delivery_batches_state_check;
alter table delivery_batches add constraint delivery_batches_state_check check (state in ('queued', 'paused', 'cancelled'));
alter table delivery_batches add column stream text collate "C" not null default 'mixed';
alter table delivery_batches add column expanded_up_to bigint;
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

-- How many deliveries of a message are in a state now. Several slots, so that writers do not wait for one another.
create table delivery_counters (
  app_id integer not null,
  message_id uuid not null,
  slot smallint not null,
  state text collate "C" not null,
  reason text collate "C" not null default '',
  count bigint not null,
  primary key (app_id, message_id, slot, state, reason)
) with (fillfactor = 70);

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

-- [choice 29] The row decides between a late receipt and the SMS: whoever moves it out of 'waiting' wins.
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
create index sms_fallbacks_due on sms_fallbacks (due_at) where state = 'waiting';
create index sms_fallbacks_sending on sms_fallbacks (updated_at) where state = 'sending';

create table sms_days (
  app_id integer not null,
  day date not null,
  sent integer not null,
  primary key (app_id, day)
);

-- events and campaigns: what followed a message ------------------------------------------------------------------------
create table influence_counters (
  app_id integer not null,
  message_id uuid not null,
  currency text collate "C" not null default '',
  events bigint not null,
  direct_events bigint not null,
  revenue numeric not null default 0,
  primary key (app_id, message_id, currency)
);

-- Sums of messages that are no longer kept, so that a campaign's counts stay.
create table campaign_counters (
  app_id integer not null,
  track_id text collate "C" not null,
  state text collate "C" not null,
  reason text collate "C" not null default '',
  count bigint not null,
  primary key (app_id, track_id, state, reason)
);

-- webhooks ------------------------------------------------------------------------------------------------------------
-- What happened, left by any feature for whom it may concern; see base/outbox.ts.
create table outbox (
  app_id integer not null,
  event_no bigint generated always as identity,
  id uuid not null,
  kind text not null,
  happened_at timestamptz not null,
  body jsonb not null,
  primary key (app_id, event_no)
);

create table webhooks (
  app_id integer not null references apps,
  webhook_id uuid not null,
  url text not null,
  sealed_secret bytea not null,
  events text[] not null,
  created_at timestamptz not null default now(),
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
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  attempts integer not null default 0,
  available_at timestamptz not null default now(),
  lease_holder uuid,
  created_at timestamptz not null default now(),
  primary key (app_id, webhook_id, call_no)
);
create index webhook_calls_waiting on webhook_calls (available_at) where state = 'waiting';
create index webhook_calls_created on webhook_calls (created_at);

create table webhook_attempts (
  app_id integer not null,
  webhook_id uuid not null,
  call_no bigint not null,
  attempted_at timestamptz not null,
  status integer,
  detail text not null,
  took_ms integer not null,
  primary key (app_id, webhook_id, call_no, attempted_at)
);
