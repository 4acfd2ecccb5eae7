-- What an app used on a day. messages, deliveries, events and new_installations are added up by the processes that accept
-- them, every few seconds. The rest is counted by a job: the installations there are, those that were active in the month so
-- far, and the most connections at one time.
create table usage_days (
  app_id integer not null references apps,
  day date not null,
  messages bigint not null default 0,
  deliveries bigint not null default 0,
  events bigint not null default 0,
  new_installations bigint not null default 0,
  installations bigint,
  active_installations bigint,
  connections bigint,
  counted_at timestamptz,
  primary key (app_id, day)
);

-- Deliveries by provider of the messages that were accepted on a day, counted from their rows when the day is over.
create table usage_providers (
  app_id integer not null references apps,
  day date not null,
  provider text collate "C" not null,
  deliveries bigint not null,
  primary key (app_id, day, provider)
);

-- What an app may use at most, by name; null for no quotas.
alter table apps add column quotas jsonb;
