-- What explains where a delivery is, as a code instead of a sentence of ours. `detail` is left to the words of others.
alter table deliveries add column detail_code text;
-- The provider that the code speaks of.
alter table deliveries add column detail_provider text;

-- How far the sentences that older versions stored have been turned into codes.
create table detail_code_fills (
  is_only boolean primary key default true check (is_only),
  app_id integer not null default 0,
  message_id uuid not null default '00000000-0000-0000-0000-000000000000',
  installation_no bigint not null default 0,
  finished_at timestamptz
);
insert into detail_code_fills default values;
