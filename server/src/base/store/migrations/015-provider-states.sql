-- What came of the last check of an app's credentials. It speaks of the credentials whose version (the md5 of what is
-- sealed) it names, and of no others: who sets new ones, in an earlier version too, makes it void. Null: not checked.
alter table provider_credentials
  add column checked_at timestamptz,
  add column checked_version text,
  add column check_result text check (check_result in ('taken', 'refused', 'unreached')),
  add column check_finding jsonb;

-- Since when a provider takes nothing although it is tried, and why. Null: it took the last push, or none was tried.
alter table provider_credentials
  add column trouble_since timestamptz,
  add column trouble_reason text;
