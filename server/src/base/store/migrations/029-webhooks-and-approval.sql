-- What webhooks are told of caps, and sends from the panel that wait for the approval of another member.

-- webhooks ------------------------------------------------------------------------------------------------------------
-- Deliveries that ended as capped and that webhooks have not been told of. A row stays for about a minute, and there is none
-- unless a webhook wants it. since: when the first of them ended.
create table capped_counts (
  app_id integer not null,
  message_id uuid not null,
  count integer not null,
  since timestamptz not null,
  primary key (app_id, message_id)
);

-- approval ------------------------------------------------------------------------------------------------------------
-- composed: the message as the panel sent it, without the users that it names. target: whom its rules found at that time, as
-- resolved. count: to how many installations it would have gone. A request lapses when lapses_at has passed and nobody has
-- decided.
create table send_approvals (
  app_id integer not null,
  id uuid not null,
  composed jsonb not null,
  user_ids text[],
  target jsonb,
  count integer not null,
  asked_at timestamptz not null,
  asked_by text not null,
  asked_by_id uuid not null,
  lapses_at timestamptz not null,
  decision text check (decision in ('approved', 'declined', 'withdrawn')),
  decided_at timestamptz,
  decided_by text,
  reason text,
  message_id uuid,
  series_id uuid,
  primary key (app_id, id)
);
create index send_approvals_waiting on send_approvals (app_id, lapses_at) where decision is null;
create index send_approvals_asked on send_approvals (asked_at);
create index send_approvals_users on send_approvals using gin (user_ids) where user_ids is not null;
