-- The numbers of a send: whom it goes to is fixed when it is accepted, and what a cancelled one took goes back.

-- messages and deliveries ---------------------------------------------------------------------------------------------
-- Whom a message to a group goes to, as it was when it was accepted, until all of it is cut into batches. No number in a
-- part is larger than up_to, or smaller than those of the part before. Messages of one request may share an audience.
create table audience_parts (
  app_id integer not null,
  audience_id uuid not null,
  up_to bigint not null,
  installation_nos bigint[] not null,
  count integer not null,
  primary key (app_id, audience_id, up_to)
);
-- Compressing them would take most of the time of an accept, for what is gone in seconds.
alter table audience_parts alter column installation_nos set storage external;
-- Of an audience still to be expanded: whom it lists. Null where an older version accepted the message: then its rules
-- are asked again.
alter table delivery_batches add column audience_id uuid;
-- The holder of the batch knows that the message was paused or cancelled: what has no result yet is with a provider.
alter table delivery_batches add column stopped_at timestamptz;
-- How far the marks of what waited in an inbox were taken off messages that have expired.
create table inbox_sweeps (
  is_only boolean primary key default true check (is_only),
  swept_up_to timestamptz not null
);
insert into inbox_sweeps (swept_up_to) values ('-infinity');

-- promo ---------------------------------------------------------------------------------------------------------------
-- For which installations a code was taken. Null when it may have been seen, whatever becomes of these: by SMS, or because
-- an older version gave it.
alter table promo_given add column installation_nos bigint[];
-- Codes before the mark of their set that nobody got after all: they are given first.
create table promo_returned (
  app_id integer not null,
  set_no bigint not null,
  code text collate "C" not null,
  primary key (app_id, set_no, code)
);
-- Cancelled messages whose codes are to be looked at when nobody sends them any more.
create table code_returns (
  app_id integer not null,
  message_id uuid not null,
  primary key (app_id, message_id)
);
