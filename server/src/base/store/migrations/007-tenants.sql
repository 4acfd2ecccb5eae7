-- Apps beside one another: requests that call outwards, and members of several apps.

-- A request with an idempotency key that calls outwards has no transaction meanwhile: this says that it runs.
create table idempotency_claims (
  app_id integer not null,
  route text collate "C" not null,
  key text collate "C" not null,
  holder uuid not null,
  claimed_at timestamptz not null default now(),
  primary key (app_id, route, key)
);

-- The password that opens this app for this member. Null for members of before: then the one in members does.
-- 'none' when the member was invited and has not chosen one.
alter table member_apps add column password_hash text;
alter table member_apps add column added_at timestamptz;

-- The apps that a session or a link opens; null: all of the member's.
alter table member_sessions add column app_ids integer[];
alter table member_links add column app_id integer;

-- Set when an access token did it; email is the token's name then.
alter table audit_entries add column token_id uuid;
