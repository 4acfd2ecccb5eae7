-- Since when nothing of an app is sent, and who stopped it (null: the command line). Null: it sends.
alter table apps
  add column stopped_at timestamptz,
  add column stopped_by text,
  add column resumed_at timestamptz;
-- Whoever takes work asks which apps these are. There are few, if any.
create index apps_stopped on apps (app_id) where stopped_at is not null;
