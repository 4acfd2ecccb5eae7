-- Messages that go later. `sent` is the request with the texts of its template and without whom it goes to: that is user_ids
-- or target, or neither for everybody on the public channel. A message that starts moves from here to messages with its id.
-- available_at is when somebody looks at it next: due_at, and later after a start that failed.
create table scheduled_messages (
  app_id integer not null,
  id uuid not null,
  product text not null check (product in ('message', 'notification')),
  sent jsonb not null,
  user_ids text[] collate "C",
  target jsonb,
  count integer not null,
  created_at timestamptz not null,
  created_by text,
  due_at timestamptz not null,
  available_at timestamptz not null,
  cancelled_at timestamptz,
  primary key (app_id, id)
);
create index scheduled_messages_available on scheduled_messages (available_at) where cancelled_at is null;
create index scheduled_messages_due on scheduled_messages (app_id, due_at, id) where cancelled_at is null;
create index scheduled_messages_cancelled on scheduled_messages (cancelled_at) where cancelled_at is not null;
create index scheduled_messages_users on scheduled_messages using gin (user_ids);
