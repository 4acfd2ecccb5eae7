-- The own connection: who is connected, and what waits for whom.

-- A process that holds connections, alive as long as it says so and PostgreSQL knows its lock (base/bus/bus.ts): what a
-- dead one held counts no more.
create table connection_holders (
  holder uuid primary key,
  alive_until timestamptz not null
);

-- One row per installation that is connected, or was and left messages unacknowledged: then the holder is nobody, the
-- zero UUID. unacknowledged: what may have been sent before; null when nobody knows, because the holder died.
-- is_open: the app is in the foreground, so `live` and `inApp` reach it.
create table connections (
  app_id integer not null,
  installation_no bigint not null,
  holder uuid not null,
  connection_id uuid not null,
  is_open boolean not null default true,
  connected_at timestamptz not null default now(),
  unacknowledged uuid[] default '{}',
  primary key (app_id, installation_no)
);
create index connections_by_holder on connections (holder);

-- The session of an installation that has connected before, beside its channels, which are its subscriptions.
alter table installation_details add column has_session boolean not null default false;
alter table installation_details add column event_topics text[] collate "C" not null default '{}';

-- A message waits for its installation until it is acknowledged over the connection, or expires.
alter table deliveries add column in_inbox boolean not null default false;
create index deliveries_in_inbox on deliveries (app_id, installation_no, message_id) where in_inbox;
