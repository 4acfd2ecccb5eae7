-- The own connection: who is connected, and what waits for whom.

-- A process that holds connections, alive as long as it says so: what a dead one held counts no more.
create table connection_holders (
  holder uuid primary key,
  alive_until timestamptz not null
);

-- One row per installation that is connected. is_open: the app is in the foreground, so `live` and `inApp` reach it.
create table connections (
  app_id integer not null,
  installation_no bigint not null,
  holder uuid not null,
  connection_id uuid not null,
  is_open boolean not null default true,
  connected_at timestamptz not null default now(),
  primary key (app_id, installation_no)
);
create index connections_by_holder on connections (holder);

-- A message waits for its installation until it is acknowledged over the connection, or expires.
alter table deliveries add column in_inbox boolean not null default false;
create index deliveries_in_inbox on deliveries (app_id, installation_no, message_id) where in_inbox;
