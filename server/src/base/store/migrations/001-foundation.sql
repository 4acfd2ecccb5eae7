-- Numbers (app_id, user_no, installation_no) are ours and narrow; labels, user ids and UUIDs are what the world sees.
-- Tables that grow without end are partitioned by a UUIDv7, which carries its time: see partitions.ts.
-- Text that is looked up or compared has the C collation, so that every server orders it alike.

-- accounts ------------------------------------------------------------------------------------------------------------
create table apps (
  app_id integer generated always as identity primary key,
  label text collate "C" not null unique,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null default now()
);

create table access_tokens (
  app_id integer not null references apps,
  token_id uuid not null,
  hash bytea not null unique,
  name text not null,
  scopes text[] not null,
  origins text[],
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_on date,
  primary key (app_id, token_id)
);

create table members (
  member_id uuid primary key,
  email text collate "C" not null unique,
  password_hash text not null,
  created_at timestamptz not null default now()
);

create table member_apps (
  app_id integer not null references apps,
  member_id uuid not null references members,
  role text not null,
  primary key (app_id, member_id)
);

create table idempotency_keys (
  app_id integer not null,
  route text collate "C" not null,
  key text collate "C" not null,
  body_hash bytea not null,
  answer jsonb not null,
  created_at timestamptz not null default now(),
  primary key (app_id, route, key)
);
create index idempotency_keys_created on idempotency_keys (created_at);

-- installations -------------------------------------------------------------------------------------------------------
create table users (
  app_id integer not null,
  user_no bigint generated always as identity,
  user_id text collate "C" not null,
  is_guest boolean not null default false,
  created_at timestamptz not null default now(),
  primary key (app_id, user_no),
  unique (app_id, user_id)
);

create table user_tags (
  app_id integer not null,
  user_no bigint not null,
  tag text collate "C" not null,
  value text collate "C",
  primary key (app_id, user_no, tag)
);
create index user_tags_by_tag on user_tags (app_id, tag, value, user_no);
-- What goes together: without these the planner takes a rare value of a frequent tag for ten times rarer.
create statistics user_tags_values (mcv) on app_id, tag, value from user_tags;

-- Only what segments ask for: this table is scanned. The rest of an installation is in installation_details.
create table installations (
  app_id integer not null,
  installation_no bigint generated always as identity,
  user_no bigint not null,
  login_user_no bigint,
  installed_at timestamptz not null,
  launched_at timestamptz not null,
  logged_in_at timestamptz not null,
  created_at timestamptz not null default now(),
  uninstalled_at timestamptz,
  launch_count integer not null default 1,
  is_guest boolean not null,
  id uuid not null,
  device_type text collate "C" not null,
  client_version text collate "C",
  client_version_key text collate "C",
  os_version text collate "C",
  os_version_key text collate "C",
  language text collate "C",
  time_zone text collate "C",
  subscriptions text[] collate "C" not null default '{}',
  primary key (app_id, installation_no)
) with (fillfactor = 85);
create unique index installations_by_id on installations (app_id, id);
create index installations_by_user on installations (app_id, user_no);
create index installations_by_login on installations (app_id, login_user_no) where login_user_no is not null;
-- All of an app in the order of the table. The others begin with the value, not with app_id: the planner takes an index
-- for as sorted as its first column, and would go through half the table in the order of a version.
create index installations_by_app on installations (app_id) where uninstalled_at is null;
create index installations_by_installed on installations (installed_at, app_id) include (created_at) where uninstalled_at is null;
create index installations_by_launched on installations (launched_at, app_id) include (created_at) where uninstalled_at is null;
create index installations_by_client_version on installations (client_version_key, app_id) where uninstalled_at is null;
create index installations_by_os_version on installations (os_version_key, app_id) where uninstalled_at is null;
create index installations_by_subscription on installations using gin (subscriptions) where subscriptions <> '{}';

create table installation_details (
  app_id integer not null,
  installation_no bigint not null,
  device_token text,
  device_token_hash bytea,
  token_status text,
  token_changed_at timestamptz,
  updated_at timestamptz not null default now(),
  details jsonb not null default '{}',
  primary key (app_id, installation_no)
);
-- A token belongs to one installation; tokens can be too long for an index, their hashes are not.
create unique index installation_details_by_token on installation_details (app_id, device_token_hash) where device_token_hash is not null;

-- kind is the type of the name's first use; a value of another kind is kept but takes no part in segments.
create table attribute_names (
  app_id integer not null,
  name text collate "C" not null,
  kind text not null,
  on_installation boolean not null default false,
  primary key (app_id, name)
);

-- value is what was sent; number holds numbers, booleans (1, 0) and dates (epoch ms), so that ranges have one index.
create table user_attributes (
  app_id integer not null,
  user_no bigint not null,
  name text collate "C" not null,
  kind text not null,
  number double precision,
  text text collate "C",
  list text[] collate "C",
  value jsonb not null,
  primary key (app_id, user_no, name)
);
create index user_attributes_by_number on user_attributes (app_id, name, kind, number, user_no) where number is not null;
create index user_attributes_by_text on user_attributes (app_id, name, left(text, 100), user_no) where text is not null;
create index user_attributes_by_list on user_attributes using gin (list) where list is not null;
create statistics user_attributes_kinds (mcv) on app_id, name, kind from user_attributes;

create table installation_attributes (
  app_id integer not null,
  installation_no bigint not null,
  name text collate "C" not null,
  kind text not null,
  number double precision,
  text text collate "C",
  list text[] collate "C",
  value jsonb not null,
  primary key (app_id, installation_no, name)
);
create index installation_attributes_by_number on installation_attributes (app_id, name, kind, number, installation_no) where number is not null;
create index installation_attributes_by_text on installation_attributes (app_id, name, left(text, 100), installation_no) where text is not null;
create index installation_attributes_by_list on installation_attributes using gin (list) where list is not null;
create statistics installation_attributes_kinds (mcv) on app_id, name, kind from installation_attributes;

create table uninstalls (
  app_id integer not null,
  uninstall_no bigint generated always as identity,
  uninstalled_at timestamptz not null,
  installation_no bigint not null,
  installation_id uuid not null,
  device_type text not null,
  user_id text not null,
  is_churn boolean not null,
  primary key (app_id, uninstall_no)
);
create index uninstalls_by_time on uninstalls (app_id, uninstalled_at);

-- Left by a login, settled by events/adoption/adopt-user-events.ts.
create table event_adoptions (
  app_id integer not null,
  user_no bigint not null,
  installation_no bigint not null,
  primary key (app_id, user_no)
);

-- events --------------------------------------------------------------------------------------------------------------
create table events (
  app_id integer not null,
  id uuid not null,
  user_no bigint not null,
  installation_no bigint,
  event_at timestamptz not null,
  name text collate "C" not null,
  data jsonb,
  revenue numeric,
  currency text,
  influence_message_id uuid,
  influence_direct boolean
) partition by range (id);
create index events_by_user on events (app_id, user_no, event_at);
create index events_by_installation on events (app_id, installation_no, event_at);
create index events_by_name on events (app_id, name, event_at);

-- Ids that clients gave their events, so that a repeated one is stored once.
create table event_ids (
  app_id integer not null,
  installation_no bigint not null,
  event_id text collate "C" not null,
  received_at timestamptz not null,
  primary key (app_id, installation_no, event_id)
);
create index event_ids_received on event_ids (received_at);

create table event_value_names (
  app_id integer not null,
  event_key text collate "C" not null,
  name text collate "C" not null,
  kind text not null,
  primary key (app_id, event_key, name)
);

-- event_key is the lower-cased event name; 'purchase' sums up all revenue events [segments.md#rules].
-- No index on what changes with every event: the updates stay on their page.
create table event_counters (
  app_id integer not null,
  installation_no bigint not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  value_last_at timestamptz,
  value_count bigint not null,
  event_key text collate "C" not null,
  value_sum numeric,
  value_min numeric,
  value_max numeric,
  value_last numeric,
  primary key (app_id, event_key, installation_no)
) with (fillfactor = 80);
create index event_counters_by_installation on event_counters (app_id, installation_no);
create statistics event_counters_keys (mcv) on app_id, event_key from event_counters;

-- The same for users who have no installation yet.
create table user_event_counters (
  app_id integer not null,
  user_no bigint not null,
  count bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  value_last_at timestamptz,
  value_count bigint not null,
  event_key text collate "C" not null,
  value_sum numeric,
  value_min numeric,
  value_max numeric,
  value_last numeric,
  primary key (app_id, user_no, event_key)
);

-- segments, campaigns, promo ------------------------------------------------------------------------------------------
create table segments (
  app_id integer not null,
  segment_id uuid not null,
  name text collate "C" not null,
  definition jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (app_id, segment_id),
  unique (app_id, name)
);

create table campaigns (
  app_id integer not null,
  track_id text collate "C" not null,
  name text not null,
  created_at timestamptz not null default now(),
  primary key (app_id, track_id)
);

-- track_id '' is the global set. Codes are given in code order: those up to taken_up_to are used.
create table promo_sets (
  app_id integer not null,
  set_no bigint generated always as identity,
  set_id uuid not null,
  track_id text collate "C" not null,
  state text not null check (state in ('uploading', 'active', 'replaced')),
  total_rows bigint not null default 0,
  codes bigint not null default 0,
  duplicates bigint not null default 0,
  already_used bigint not null default 0,
  taken_up_to text collate "C" not null default '',
  created_at timestamptz not null default now(),
  activated_at timestamptz,
  primary key (app_id, set_no)
);
create unique index promo_sets_active on promo_sets (app_id, track_id) where state = 'active';

create table promo_codes (
  app_id integer not null,
  set_no bigint not null,
  code text collate "C" not null,
  primary key (app_id, set_no, code)
);

create table promo_given (
  app_id integer not null,
  code text collate "C" not null,
  message_id uuid not null,
  user_no bigint not null,
  set_no bigint not null,
  given_at timestamptz not null default now(),
  primary key (app_id, code),
  unique (app_id, message_id, user_no)
);

-- messages ------------------------------------------------------------------------------------------------------------
create table messages (
  app_id integer not null,
  id uuid not null,
  accepted_at timestamptz not null,
  expires_at timestamptz not null,
  cancelled_at timestamptz,
  recipients integer not null,
  product text not null check (product in ('message', 'notification')),
  audience text not null check (audience in ('users', 'public', 'query')),
  channel text collate "C" not null,
  track_id text collate "C",
  client_id text collate "C",
  body jsonb not null,
  target jsonb,
  primary key (app_id, id)
) partition by range (id);
create index messages_by_track_id on messages (app_id, track_id, id) where track_id is not null;
create index messages_by_client_id on messages (app_id, client_id, id) where client_id is not null;
create index messages_to_groups on messages (app_id, id) where audience <> 'users';

create table message_users (
  app_id integer not null,
  message_id uuid not null,
  user_id text collate "C" not null,
  primary key (app_id, user_id, message_id)
) partition by range (message_id);
create index message_users_by_message on message_users (app_id, message_id);

-- The work that messages leave for deliveries: a batch of installations, or an audience still to be expanded (null).
create table delivery_batches (
  app_id integer not null,
  batch_no bigint generated always as identity,
  message_id uuid not null,
  lane text not null check (lane in ('personal', 'group')),
  state text not null default 'queued' check (state in ('queued', 'done', 'cancelled')),
  installation_nos bigint[],
  available_at timestamptz not null default now(),
  lease_until timestamptz,
  lease_holder uuid,
  attempts integer not null default 0,
  primary key (app_id, batch_no)
);
create index delivery_batches_by_message on delivery_batches (app_id, message_id);
create index delivery_batches_queued on delivery_batches (lane, available_at) where state = 'queued';

create table deliveries (
  app_id integer not null,
  message_id uuid not null,
  installation_no bigint not null,
  state text not null,
  reason text,
  provider text,
  updated_at timestamptz not null default now(),
  primary key (app_id, message_id, installation_no)
) partition by range (message_id);

create table receipts (
  app_id integer not null,
  message_id uuid not null,
  installation_no bigint not null,
  kind text not null,
  action_id text collate "C" not null default '',
  happened_at timestamptz not null,
  received_at timestamptz not null,
  primary key (app_id, message_id, installation_no, kind, action_id)
) partition by range (message_id);
