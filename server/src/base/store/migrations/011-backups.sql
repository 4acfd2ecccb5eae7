-- Backups that were made, or failed: fault says why. Those that the schedule made are told from those of the command.
create table backups (
  backup_no bigint generated always as identity primary key,
  is_scheduled boolean not null,
  file text not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  bytes bigint,
  rows bigint,
  fault text
);

-- This database came out of a backup. As long as nobody has decided what becomes of what waited in it, nothing is sent.
create table restores (
  restore_no bigint generated always as identity primary key,
  backup_made_at timestamptz not null,
  restored_at timestamptz not null,
  resumed_at timestamptz,
  decision text check (decision in ('send', 'discard'))
);
