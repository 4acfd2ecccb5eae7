-- Messages that repeat. `sent`, user_ids and target are as in scheduled_messages. The next few occurrences are rows of
-- scheduled_messages; made says how many occurrences there have been with them, last_at the moment of the last of them, and
-- next_at that of the one after it, null when there is none. times is how many there are to be. Of the last occurrences,
-- story has what became of them; missed_until is the latest moment in it that was missed.
create table series (
  app_id integer not null,
  id uuid not null,
  product text not null check (product in ('message', 'notification')),
  sent jsonb not null,
  user_ids text[] collate "C",
  target jsonb,
  count integer not null,
  rule text not null,
  zone text not null,
  local_time jsonb,
  starts_at timestamptz not null,
  until timestamptz,
  times integer,
  state text not null check (state in ('active', 'paused', 'ended')),
  made integer not null,
  last_at timestamptz,
  next_at timestamptz,
  sent_count integer not null,
  skipped_count integer not null,
  missed_count integer not null,
  missed_until timestamptz,
  story jsonb not null,
  created_at timestamptz not null,
  created_by text,
  changed_at timestamptz not null,
  ended_at timestamptz,
  primary key (app_id, id)
);
create index series_active on series (app_id, id) where state = 'active';
create index series_ended on series (ended_at) where ended_at is not null;
create index series_users on series using gin (user_ids);

-- Of an occurrence: its series, the moment that the rule gave it, and whether it was changed by itself since.
alter table scheduled_messages add column series_id uuid, add column occurs_at timestamptz, add column is_changed boolean;
create unique index scheduled_messages_occurrence on scheduled_messages (app_id, series_id, occurs_at) where series_id is not null;
create index scheduled_messages_series_available on scheduled_messages (available_at)
  where series_id is not null and cancelled_at is null;
