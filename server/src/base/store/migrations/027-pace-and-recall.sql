-- Messages that go no faster than they were told to, and messages that are taken back.

-- pace ----------------------------------------------------------------------------------------------------------------
-- At most how many installations a minute a message goes to, and when the next one may. A row stays until nothing of its
-- message waits.
create table message_paces (
  app_id integer not null,
  message_id uuid not null,
  per_minute integer not null,
  next_at timestamptz not null,
  primary key (app_id, message_id)
);
create index message_paces_next on message_paces (next_at);
-- The batch waits for its turn at the pace of its message, and not before this. Until then available_at is when the message
-- expires, so that nobody takes it for another reason. Null: it has no pace, or its turn has come.
alter table delivery_batches add column paced_from timestamptz;
create index delivery_batches_paced on delivery_batches (app_id, message_id, paced_from, batch_no)
where state = 'queued' and paced_from is not null;

-- recall --------------------------------------------------------------------------------------------------------------
-- A recalled message is cancelled as well.
alter table messages add column recalled_at timestamptz;
-- The devices that are to take a recalled message away. A delivery whose device is still to be told has the mark of the inbox.
-- listed_up_to: the installations up to this number have been looked at; listed_at: all of them.
-- handed_over: on how many the message may be; cleared: how many of these were told.
create table recalls (
  app_id integer not null,
  message_id uuid not null,
  handed_over bigint not null default 0,
  cleared bigint not null default 0,
  listed_up_to bigint not null default 0,
  listed_at timestamptz,
  primary key (app_id, message_id)
);
create index recalls_unlisted on recalls (app_id, message_id) where listed_at is null;
-- The pushes that tell them: leased, and tried again, as delivery_batches are.
create table recall_batches (
  app_id integer not null,
  batch_no bigint generated always as identity,
  message_id uuid not null,
  stream text collate "C" not null,
  installation_nos bigint[] not null,
  expires_at timestamptz not null,
  available_at timestamptz not null,
  lease_holder uuid,
  attempts integer not null default 0,
  primary key (app_id, batch_no)
);
create index recall_batches_by_message on recall_batches (app_id, message_id);
create index recall_batches_due on recall_batches (available_at);
