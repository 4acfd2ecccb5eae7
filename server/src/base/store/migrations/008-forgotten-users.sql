-- Users who were deleted, so that requests which came before the deletion and are written after it leave nothing.

-- id_hash is SHA-256 of the app's alias_secret and the id of a user or of an installation: nobody can tell from it who it
-- was. Kept for a day.
create table forgotten_users (
  app_id integer not null,
  id_hash bytea not null,
  user_no bigint,
  forgotten_at timestamptz not null,
  primary key (app_id, id_hash)
);
create index forgotten_users_by_number on forgotten_users (app_id, user_no) where user_no is not null;
create index forgotten_users_by_time on forgotten_users (forgotten_at);

create table forgotten_installations (
  app_id integer not null,
  installation_no bigint not null,
  forgotten_at timestamptz not null,
  primary key (app_id, installation_no)
);
create index forgotten_installations_by_time on forgotten_installations (forgotten_at);

-- A deletion that is under way: what it has to look for once more when older writers are gone. The row goes with the
-- last of it.
create table user_deletions (
  app_id integer not null,
  deletion_id uuid not null,
  begun_at timestamptz not null default now(),
  traces jsonb not null,
  primary key (app_id, deletion_id)
);

-- The answer was about a user who has been deleted; the key still keeps the request from being carried out again.
alter table idempotency_keys add column is_forgotten boolean not null default false;
